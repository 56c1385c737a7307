import { LazyPart } from '../../../frame/lazy-part.js';
import { Icon } from '../../../parts/icon.js';
import { inboxComposerWords } from '../../../words/inbox-composer.js';
import type { OpenThread } from '../open-thread.js';
import type { TemplateChoice } from '../template/template-choice.js';

interface TemplatePanelProps {
  readonly thread: OpenThread;
  readonly isClosed: boolean;
  readonly onSend: (choice: TemplateChoice) => Promise<void>;
  /** Goes back to the message; only where one can be written. */
  readonly onBack: () => void;
}

const loadPicker = async () => (await import('../template/template-picker.js')).TemplatePicker;

/** The choice of a template, in place of the field. */
export function TemplatePanel({ thread, isClosed, onSend, onBack }: TemplatePanelProps) {
  const { window, tools } = inboxComposerWords;
  const leave = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || isClosed || event.defaultPrevented) return;
    event.preventDefault();
    onBack();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is a shortcut of the button
    <div class="closed" onKeyDown={leave}>
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
        contact={thread.key.contact}
        contactId={thread.conversation.value?.contact_id ?? null}
        phone={thread.key.phone}
        onSend={onSend}
      />
    </div>
  );
}
