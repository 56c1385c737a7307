import type { Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { LazyPart } from '../../../frame/lazy-part.js';
import { Icon } from '../../../parts/icon.js';
import { inboxComposerWords } from '../../../words/inbox-composer.js';
import type { OpenThread } from '../open-thread.js';
import type { TemplateChoice } from '../template/template-choice.js';
import type { FilledTemplate } from '../template/template-request.js';

interface TemplatePanelProps {
  readonly thread: OpenThread;
  readonly isClosed: boolean;
  readonly filled: Signal<FilledTemplate | null>;
  readonly colleague: string | null;
  readonly onSend: (choice: TemplateChoice, takesOver: boolean) => Promise<void>;
  /** Goes back to the message; only where one can be written. */
  readonly onBack: () => void;
}

const loadPicker = async () => (await import('../template/template-picker.js')).TemplatePicker;

/** The search, or why it is not there. */
const ARRIVED = 'input, .failed';
const isText = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey;

/** The choice of a template, in place of the field. */
export function TemplatePanel({ thread, isClosed, filled, colleague, onSend, onBack }: TemplatePanelProps) {
  const { window, tools } = inboxComposerWords;
  const panel = useRef<HTMLDivElement>(null);
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !isClosed && !event.defaultPrevented) {
      event.preventDefault();
      onBack();
    } else if (isText(event) && event.target === panel.current && panel.current?.querySelector(ARRIVED) === null) {
      // Meant for the search, which is on its way: single letters would do something else.
      event.preventDefault();
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is a shortcut of the button
    <div ref={panel} class="closed" tabIndex={-1} onKeyDown={press}>
      {isClosed ? (
        <p>
          <Icon name="lock" />
          <span>{window.closed}</span>
        </p>
      ) : (
        <button class="link back" type="button" onClick={onBack}>
          {tools.backToMessage}
        </button>
      )}
      <LazyPart
        load={loadPicker}
        what={tools.templates}
        contact={thread.key.contact}
        contactId={thread.conversation.value?.contact_id ?? null}
        phone={thread.key.phone}
        filled={filled}
        colleague={colleague}
        onSend={onSend}
        onReady={(search) => {
          if (document.activeElement === panel.current) search.focus();
        }}
      />
    </div>
  );
}
