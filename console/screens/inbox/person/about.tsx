import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { queries, useQuery } from '../../../data/query.js';
import { LoadFailed } from '../../../parts/load-failed.js';
import { Skeleton } from '../../../parts/skeleton.js';
import { inboxPersonWords as words } from '../../../words/inbox-person.js';
import type { OpenThread } from '../open-thread.js';
import { fullName } from '../person-name.js';
import type { Conversation } from '../records.js';
import { threadOf } from '../thread-key.js';
import { Campaigns } from './campaigns.js';
import { Consent } from './consent.js';
import { EditPerson } from './edit-person.js';
import { Elsewhere } from './elsewhere.js';
import { Facts } from './facts.js';
import { type Contact, contactKey, readContact } from './person-data.js';

/** Everything about the person of a thread. */
export function About({ thread }: { thread: OpenThread }) {
  const conversation = thread.conversation.value;
  if (conversation === undefined) {
    return (
      <section>
        <Skeleton rows={4} />
      </section>
    );
  }
  if (threadOf(conversation) === null) return <p class="nobody">{words.erased}</p>;
  return <Known key={conversation.contact_id} conversation={conversation} thread={thread} />;
}

function Known({ conversation, thread }: { conversation: Conversation; thread: OpenThread }) {
  const { contact_id: id, last_message_at, last_message_preview, contact_name } = conversation;
  const result = useQuery(contactKey(id), (signal) => readContact(id, signal)).value;
  const isEditing = useSignal(false);
  const isFirst = useRef(true);
  useEffect(() => {
    // What they write may change them: STOP opts them out.
    if (!isFirst.current) void queries.invalidateQueries({ queryKey: contactKey(id), exact: true });
    isFirst.current = false;
  }, [last_message_at, last_message_preview, contact_name]);
  const contact = result.data;
  if (contact === undefined) {
    return (
      <section>
        {result.error === null ? (
          <Skeleton rows={4} />
        ) : (
          <LoadFailed what={words.person} error={result.error} retry={() => result.refetch()} />
        )}
      </section>
    );
  }
  if (contact === null) return <p class="nobody">{words.gone}</p>;
  const take = (changed: Contact): void => {
    queries.setQueryData(contactKey(id), changed);
    thread.take({ contact_name: fullName(changed) });
  };
  return (
    <>
      {isEditing.value ? (
        <EditPerson
          contact={contact}
          onSaved={take}
          onEnd={() => {
            isEditing.value = false;
          }}
        />
      ) : (
        <Facts
          contact={contact}
          onEdit={() => {
            isEditing.value = true;
          }}
        />
      )}
      <Consent contact={contact} onChanged={take} />
      <Elsewhere contactId={id} open={thread.key} />
      <Campaigns contactId={id} />
    </>
  );
}
