import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { session } from '../../../data/session.js';
import { LazyPart } from '../../../frame/lazy-part.js';
import { letterHint } from '../../../frame/letter-hint.js';
import { useLetters } from '../../../frame/letters.js';
import { Icon } from '../../../parts/icon.js';
import { inboxWorkWords } from '../../../words/inbox-work.js';

const isShown = signal(false);
const load = async () => (await import('../template/new-conversation.js')).NewConversation;

const mayStart = (): boolean => session.value?.scopes.includes('messages:write') ?? false;

/** Begins a conversation with a number that never wrote. {@link NewConversationPlace} has to be on the page. */
export function NewConversationButton({ isShort = false }: { isShort?: boolean }) {
  if (!mayStart()) return null;
  const { start } = inboxWorkWords;
  return (
    <button
      class={isShort ? 'btn icon quiet' : 'btn'}
      type="button"
      {...letterHint(start, 'n')}
      aria-label={start}
      onClick={() => {
        isShown.value = true;
      }}
    >
      {isShort ? (
        <Icon name="plus" />
      ) : (
        <span class="with-icon">
          <Icon name="plus" />
          {start}
        </span>
      )}
    </button>
  );
}

/** The dialog of a new conversation, and the letter that opens it; once on the screen. */
export function NewConversationPlace() {
  const close = useRef(() => {
    isShown.value = false;
  });
  useLetters({
    n: {
      label: inboxWorkWords.letters.start,
      press: () => {
        isShown.value = mayStart();
      },
    },
  });
  return isShown.value ? <LazyPart load={load} what={inboxWorkWords.parts.start} onClose={close.current} /> : null;
}
