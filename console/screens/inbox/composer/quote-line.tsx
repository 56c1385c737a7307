import { Icon } from '../../../parts/icon.js';
import { inboxComposerWords } from '../../../words/inbox-composer.js';
import type { OpenThread } from '../open-thread.js';
import { personName } from '../person-name.js';

/** The message that the answer quotes. */
export function QuoteLine({ thread }: { thread: OpenThread }) {
  const quoted = thread.quoted.value;
  if (quoted === null) return null;
  const words = inboxComposerWords.quote;
  const isTheirs = quoted.direction === 'in';
  const conversation = thread.conversation.value;
  const them = conversation === undefined ? '' : personName(conversation);
  const name = isTheirs ? them : words.self;
  return (
    <div class="quoted">
      <div>
        <p class="by" dir="auto">
          {words.label(name)}
        </p>
        <p class="cut" dir="auto">
          {quoted.content}
        </p>
      </div>
      <button
        class="btn icon quiet"
        type="button"
        aria-label={words.drop}
        onClick={() => {
          thread.quoted.value = null;
        }}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
