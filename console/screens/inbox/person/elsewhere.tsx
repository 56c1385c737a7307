import { useQuery } from '../../../data/query.js';
import { LoadFailed } from '../../../parts/load-failed.js';
import { Time } from '../../../parts/time.js';
import { inboxPersonWords } from '../../../words/inbox-person.js';
import { readableNumber } from '../list/readable-number.js';
import { isSameThread, type ThreadKey, threadAddress, threadOf } from '../thread-key.js';
import { Pills } from './facts.js';
import { contactKey, readElsewhere } from './person-data.js';

const words = inboxPersonWords.elsewhere;

interface ElsewhereProps {
  readonly contactId: string;
  /** The thread that is shown. */
  readonly open: ThreadKey;
}

/** The groups of a person, and their conversations with other business phones. */
export function Elsewhere({ contactId, open }: ElsewhereProps) {
  const key = [...contactKey(contactId), 'elsewhere'];
  const result = useQuery(key, (signal) => readElsewhere(contactId, signal)).value;
  if (result.data === undefined) {
    if (result.error === null) return null;
    return (
      <section>
        <LoadFailed what={words.part} error={result.error} retry={() => result.refetch()} />
      </section>
    );
  }
  const { groups, conversations, phones } = result.data;
  const others = conversations.flatMap((conversation) => {
    const thread = threadOf(conversation);
    const isOther = thread !== null && !isSameThread(thread, open) && thread.phone !== open.phone;
    return isOther ? [{ conversation, thread }] : [];
  });
  return (
    <>
      <section>
        <h2>{words.groups}</h2>
        <Pills label={words.groups} names={groups.map(({ name }) => name)} none={words.noGroups} />
      </section>
      {others.length > 0 && (
        <section>
          <h2>{words.conversations}</h2>
          <ul class="past sm num">
            {others.map(({ conversation: { last_message_at, status }, thread }) => (
              <li key={thread.phone}>
                <a class="link" href={threadAddress(thread)}>
                  <bdi>{words.conversation(readableNumber(phones.get(thread.phone) ?? thread.phone))}</bdi>
                </a>
                <span class="faint xs">
                  {status !== null && words.states[status]}
                  {last_message_at !== null && (
                    <>
                      {' '}
                      <Time at={last_message_at} />
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
