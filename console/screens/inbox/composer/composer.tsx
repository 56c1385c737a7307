import { useRef } from 'preact/hooks';
import { isOffline } from '../../../data/connection.js';
import { serverNow } from '../../../data/live.js';
import { enterSends } from '../../../data/preferences.js';
import { LazyPart } from '../../../frame/lazy-part.js';
import { Button } from '../../../parts/button.js';
import { Icon } from '../../../parts/icon.js';
import { inboxComposerWords as words } from '../../../words/inbox-composer.js';
import type { OpenThread } from '../open-thread.js';
import { personName } from '../person-name.js';
import { FileList } from './file-list.js';
import { insertAt, MessageField } from './message-field.js';
import { ModeSwitch } from './mode-switch.js';
import { OutcomeLines } from './outcome-line.js';
import { QuoteLine } from './quote-line.js';
import type { FilledReply } from './reply-variables.js';
import { SavedReplies } from './saved-replies.js';
import { answer, askAgain, sendTemplate } from './sending.js';
import { colleagueWith } from './take-thread.js';
import { TemplatePanel } from './template-panel.js';
import { type Popover, Tools } from './tools.js';
import { type ComposerState, useComposer } from './use-composer.js';
import { useDrop } from './use-drop.js';
import { WindowLine } from './window-line.js';

const IS_APPLE = /Mac OS X/.test(navigator.userAgent);

const loadEmoji = async () => (await import('../../../parts/emoji-picker.js')).EmojiPicker;

/** Where one answers, writes notes, and chooses templates. */
export function Composer({ thread }: { thread: OpenThread }) {
  const state = useComposer(thread);
  const { draft, isClosed, box, addFiles, focusField, write } = state;
  const isOver = useDrop(box, !isClosed.value, addFiles);
  if (thread.conversation.value === undefined) return <div ref={box} class="compose" />;
  const mode = draft.mode.value;
  const colleague = colleagueWith(thread.conversation.value);
  const isTemplate = mode === 'template' || (mode === 'message' && isClosed.value);
  // The window closed while somebody wrote: the text stays until they discard it.
  const isKept = mode === 'message' && isClosed.value && draft.message.value !== '';
  return (
    <section ref={box} class="compose" aria-label={words.label} tabIndex={-1}>
      <div class="compose-head">
        <ModeSwitch
          mode={mode}
          isClosed={isClosed.value}
          onChange={(next) => {
            draft.mode.value = next;
          }}
          onClick={focusField}
        />
        <WindowLine openWindow={state.openWindow} />
      </div>
      <div role="status">
        {isOffline.value && <p class="aside">{words.offlineText}</p>}
        {isKept && <p class="aside warn">{words.window.closedWhileWriting}</p>}
        <OutcomeLines
          draft={draft}
          writes={isTemplate ? 'template' : mode}
          colleague={colleague}
          onTakeOver={() => {
            focusField();
            void answer(thread, draft, { takesOver: true });
          }}
          onSendAsItIs={({ takesOver }) => {
            focusField();
            void answer(thread, draft, { asItIs: true, takesOver });
          }}
          onFill={state.selectVariable}
          onAskAgain={(of) => {
            focusField();
            void askAgain(thread, draft, of);
          }}
          onDone={focusField}
        />
      </div>
      {(!isTemplate || isKept) && <Box thread={thread} state={state} isKept={isKept} />}
      {/* Templates quote it too. */}
      {isTemplate && <QuoteLine thread={thread} />}
      {isTemplate && (
        <TemplatePanel
          thread={thread}
          isClosed={isClosed.value}
          filled={draft.filled}
          sentAt={draft.templateSentAt}
          colleague={colleague}
          onSend={async (choice, takesOver) => {
            const isSent = await sendTemplate(thread, draft, choice, takesOver);
            if (!isClosed.value) write('message');
            else if (isSent) draft.templateSentAt.value = serverNow();
          }}
          onBack={() => write('message')}
        />
      )}
      {isOver.value && (
        <div class="drop-area" aria-hidden="true">
          <p>
            <Icon name="clip" />
            {words.files.drop}
          </p>
        </div>
      )}
    </section>
  );
}

interface BoxProps {
  readonly thread: OpenThread;
  readonly state: ComposerState;
  /** Whether its text can only be read. */
  readonly isKept: boolean;
}

/** The field with what belongs to it. */
function Box({ thread, state, isKept }: BoxProps) {
  const { draft, popover, box, field, addFiles, focusField, send } = state;
  const isNote = draft.mode.value === 'note';
  const conversation = thread.conversation.value;
  const isBySlash = useRef(false);
  const open = (name: Popover | null, bySlash = false): void => {
    isBySlash.current = bySlash;
    popover.value = name;
  };
  const close = (): void => {
    popover.value = null;
    focusField();
  };
  const insert = (text: string): void => {
    popover.value = null;
    if (field.current !== null) insertAt(field.current, text);
  };
  const insertReply = ({ text, missing }: FilledReply): void => {
    insert(text);
    if (missing.length === 0) return;
    draft.outcomes.message.value = { kind: 'missing', names: missing };
    state.selectVariable();
  };
  /** One thing after the other, and then out of the field: single letters mean something there. */
  const stepBack = (): void => {
    if (popover.value !== null) popover.value = null;
    else if (!isNote && thread.quoted.value !== null) thread.quoted.value = null;
    else box.current?.focus();
  };
  return (
    <div class={isNote ? 'box note' : 'box'}>
      {!isNote && !isKept && <QuoteLine thread={thread} />}
      <MessageField
        draft={draft}
        field={field}
        who={conversation === undefined ? '' : personName(conversation)}
        isReadOnly={isKept}
        onSend={send}
        onSlash={() => open('replies', true)}
        onEscape={stepBack}
        onFiles={addFiles}
      />
      {!isNote && <FileList draft={draft} onRemoved={focusField} />}
      <div class="tools">
        {isKept ? (
          <Button
            isSmall
            onPress={() => {
              draft.message.value = '';
              focusField();
            }}
          >
            {words.window.discard}
          </Button>
        ) : (
          <>
            <Tools
              open={popover.value}
              onOpen={(name) => open(popover.value === name ? null : name)}
              onFiles={addFiles}
              onTemplate={() => state.write('template')}
              isNote={isNote}
            />
            <SendButton thread={thread} state={state} />
          </>
        )}
      </div>
      {popover.value === 'emoji' && (
        <LazyPart load={loadEmoji} what={words.emoji.what} onChoose={insert} onClose={close} />
      )}
      {popover.value === 'replies' && (
        <SavedReplies
          contactId={conversation?.contact_id ?? ''}
          onInsert={insertReply}
          onClose={close}
          onSlash={() => insert('/')}
          // They were writing “this / that”.
          onBlank={isBySlash.current ? () => insert('/ ') : undefined}
        />
      )}
    </div>
  );
}

function SendButton({ thread, state: { draft, send } }: { thread: OpenThread; state: ComposerState }) {
  const isNote = draft.mode.value === 'note';
  const isResolved = thread.conversation.value?.status === 'resolved';
  const label = isNote ? words.addNote : isResolved ? words.reopenAndAnswer : words.send;
  return (
    <div class="send">
      {/* The field says it to screen readers. */}
      <span aria-hidden="true">
        <kbd>{words.sendKeys(enterSends.value, IS_APPLE)}</kbd>
      </span>
      <Button
        isPrimary
        isBusy={draft.isSending.value}
        busyLabel={isNote ? words.adding : words.sending}
        refusal={isOffline.value ? words.offline : null}
        onPress={send}
      >
        {label}
      </Button>
    </div>
  );
}
