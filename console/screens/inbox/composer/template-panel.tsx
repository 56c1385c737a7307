import type { Signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { serverNow } from '../../../data/live.js';
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
  /** When one was sent while the window was closed; null while one is chosen. */
  readonly sentAt: Signal<Date | null>;
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
export function TemplatePanel({ thread, isClosed, filled, sentAt, colleague, onSend, onBack }: TemplatePanelProps) {
  const { window, tools } = inboxComposerWords;
  const panel = useRef<HTMLDivElement>(null);
  const isAwaited = useRef(false);
  const isSent = isClosed && sentAt.value !== null;
  const wasSent = useRef(isSent);
  const line = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    // The form that had focus is gone.
    if (isSent && !wasSent.current && document.activeElement === document.body) line.current?.focus();
    wasSent.current = isSent;
  }, [isSent]);
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
    <div
      ref={panel}
      class="closed"
      tabIndex={-1}
      onKeyDown={press}
      onClick={({ target }) => {
        // The button that tries again goes away with its focus.
        if (target instanceof Element && target.closest('.failed') !== null) isAwaited.current = true;
      }}
    >
      {isSent && sentAt.value !== null ? (
        <>
          <p ref={line} tabIndex={-1}>
            <Icon name="check" />
            <span>{window.templateSent(sentAt.value, serverNow())}</span>
          </p>
          <button
            class="link back"
            type="button"
            onClick={() => {
              // From here, focus goes on to the search.
              panel.current?.focus();
              sentAt.value = null;
            }}
          >
            {window.sendAnother}
          </button>
        </>
      ) : (
        <>
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
              const { activeElement } = document;
              if (activeElement === panel.current || (isAwaited.current && activeElement === document.body)) {
                search.focus();
              }
              isAwaited.current = false;
            }}
          />
        </>
      )}
    </div>
  );
}
