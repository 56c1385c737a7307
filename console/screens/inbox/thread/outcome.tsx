import { useSignal } from '@preact/signals';
import { isOffline } from '../../../data/connection.js';
import { failureOf, isUnanswered } from '../../../data/failure.js';
import { session } from '../../../data/session.js';
import { inboxComposerWords } from '../../../words/inbox-composer.js';
import { inboxThreadWords as words } from '../../../words/inbox-thread.js';
import { HeldByColleague, takeThread } from '../composer/take-thread.js';
import type { OpenThread } from '../open-thread.js';
import type { Message } from '../records.js';
import { windowEnd } from '../use-open-thread.js';
import { clockOf } from './moments.js';
import { onceMore, wasSurelyNotSent } from './resendable.js';
import { sendOnceMore } from './send-again.js';
import type { ThreadTimeline } from './thread-timeline.js';
import { useNow } from './use-timeline.js';

/** A message whose answer the network owes for longer than this may have been sent, milliseconds. */
const ANSWERED_WITHIN_MS = 20_000;
/** After this time the service says what it came to, milliseconds. */
const KNOWN_WITHIN_MS = 900_000;
/** Nothing was heard of it for a month. */
const SILENT = 900008;

interface OutcomeProps {
  readonly message: Message;
  readonly thread: OpenThread;
  readonly timeline: ThreadTimeline;
}

/** Why a message did not arrive, or that nobody knows; nothing for the others. */
export function Outcome(props: OutcomeProps) {
  const { status } = props.message;
  if (status === 'failed') return <Failed {...props} />;
  return status === 'pending' ? <Unanswered {...props} /> : null;
}

function Unanswered({ message: { created_at } }: OutcomeProps) {
  const since = Date.parse(created_at);
  if (useNow().getTime() - since < ANSWERED_WITHIN_MS) return null;
  return <p class="fail unsure">{words.knownBy(clockOf(new Date(since + KNOWN_WITHIN_MS)))}</p>;
}

function Failed({ message, thread, timeline }: OutcomeProps) {
  const { error_code: code, error_message } = message;
  if (!wasSurelyNotSent(message)) {
    return <p class="fail unsure">{code === SILENT ? words.silent(code) : words.uncertain(code)}</p>;
  }
  return (
    <p class="fail">
      <span>{words.failed(code, error_message)}</span>
      <SendAgain message={message} thread={thread} timeline={timeline} />
    </p>
  );
}

type Attempt = 'none' | 'busy' | 'sent' | 'unknown';

/** Sends the same once more, where that is possible. As every answer, it makes the conversation that of who sends. */
function SendAgain({ message, thread, timeline }: OutcomeProps) {
  const [attempt, problem] = [useSignal<Attempt>('none'), useSignal<string | null>(null)];
  const request = onceMore(message);
  const conversation = thread.conversation.value;
  const isOpen = conversation !== undefined && windowEnd(conversation) !== null;
  const maySend = session.value?.scopes.includes('messages:write') === true;
  if (attempt.value === 'sent') return <span role="status">{words.sentAgain}</span>;
  if (attempt.value === 'unknown') return <span role="status">{words.mayBeSentAgain}</span>;
  if (request === null || !isOpen || !maySend) return null;
  const send = async (): Promise<void> => {
    if (attempt.value === 'busy' || isOffline.value) return;
    attempt.value = 'busy';
    problem.value = null;
    let isHandedOver = false;
    try {
      await takeThread(thread, false);
      isHandedOver = true;
      await sendOnceMore(thread.key, message.message_id, request);
      attempt.value = 'sent';
      await timeline.toNewest();
    } catch (error) {
      attempt.value = isHandedOver && isUnanswered(error) ? 'unknown' : 'none';
      problem.value =
        error instanceof HeldByColleague ? inboxComposerWords.held(error.colleague) : failureOf(error).text;
    }
  };
  return (
    <>
      <button
        class="link"
        type="button"
        aria-disabled={attempt.value === 'busy' || isOffline.value ? 'true' : undefined}
        onClick={() => void send()}
      >
        {attempt.value === 'busy' ? words.sendingAgain : words.sendAgain}
      </button>
      {problem.value !== null && <span role="alert">{problem.value}</span>}
    </>
  );
}
