import { accountId } from '../../../data/account.js';
import { parley } from '../../../data/api.js';
import { failureOf, hasStatus } from '../../../data/failure.js';
import { useQuery } from '../../../data/query.js';
import { inboxThreadWords as words } from '../../../words/inbox-thread.js';
import type { Message } from '../records.js';
import { entriesOf } from './stretch.js';
import type { ThreadTimeline } from './thread-timeline.js';

interface QuoteProps {
  readonly message: Message;
  readonly timeline: ThreadTimeline;
}

/** What a message answers: a link to it. */
export function Quote({ message, timeline }: QuoteProps) {
  const { context, reply_to } = message;
  const id = reply_to ?? context?.message_id ?? null;
  if (id !== null) return <KnownQuote id={id} message={message} timeline={timeline} />;
  return context?.network_message_id === undefined ? null : <p class="quote">{words.quotedUnknown}</p>;
}

function KnownQuote({ id, message, timeline }: QuoteProps & { id: string }) {
  const held = entriesOf(timeline.stretch.peek() ?? []).find((entry) => entry.message?.message_id === id)?.message;
  const go = async (): Promise<void> => {
    timeline.note(message.message_id, null);
    try {
      await timeline.goTo(id);
    } catch (error) {
      timeline.note(message.message_id, hasStatus(error, 404) ? words.quotedGone : failureOf(error).text);
    }
  };
  return (
    <button class="quote" type="button" dir="auto" title={words.quoted} onClick={() => void go()}>
      <span class="hide">{words.quoted}: </span>
      {held === undefined ? <FarQuote id={id} /> : shortOf(held)}
    </button>
  );
}

/** A quoted message that is not held is asked for by itself. */
function FarQuote({ id }: { id: string }) {
  const { data } = useQuery(
    ['message', accountId.value ?? '', id],
    async (signal) => (await parley.messages.get(id, { signal })).message_record,
    // Without a stream the page reads everything else again every few seconds.
    { isFixed: true },
  ).value;
  return <>{data === undefined ? words.quoted : shortOf(data)}</>;
}

/** A message in a few words. */
export function shortOf({ content, message_type, media, revoked_at, direction }: Message): string {
  if (revoked_at !== undefined) return direction === 'out' ? words.deletedByUs : words.deletedByPerson;
  if (content !== '') return content;
  if (media?.voice === true) return words.kinds['voice'] ?? '';
  return media?.filename ?? words.kinds[message_type] ?? words.otherKind;
}
