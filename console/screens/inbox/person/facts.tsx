import { useEffect, useRef } from 'preact/hooks';
import { session } from '../../../data/session.js';
import { inboxPersonWords } from '../../../words/inbox-person.js';
import { fullTime } from '../../../words/times.js';
import { readableNumber } from '../list/readable-number.js';
import { contactName, fullName, givenName } from '../person-name.js';
import type { Contact } from './person-data.js';

const words = inboxPersonWords.facts;
let returnsToEdit = false;

/** After editing, focus goes back to the button that began it. */
export const returnToEdit = (): void => {
  returnsToEdit = true;
};

/** What is known of a person. */
export function Facts({ contact, onEdit }: { contact: Contact; onEdit: () => void }) {
  const { edit } = inboxPersonWords;
  const button = useRef<HTMLButtonElement>(null);
  const { phone_number, user_id, username, email, company, tags, created_at } = contact;
  const mayEdit = session.value?.scopes.includes('contacts:write') ?? false;
  useEffect(() => {
    if (returnsToEdit) button.current?.focus();
    returnsToEdit = false;
  }, []);
  return (
    <section>
      <h2 class="hide">{words.title}</h2>
      <dl class="facts num">
        <Fact label={words.name} value={givenName(fullName(contact))} />
        <Fact
          label={words.number}
          value={phone_number === null ? null : readableNumber(phone_number)}
          none={words.hidden}
        />
        {phone_number === null && user_id !== undefined && <Fact label={words.userId} value={user_id} />}
        {username !== undefined && username !== null && <Fact label={words.username} value={username} />}
        <Fact label={words.email} value={email} />
        <Fact label={words.company} value={company} />
        <dt>{words.since}</dt>
        <dd>
          <time dateTime={created_at} title={fullTime(created_at)}>
            {inboxPersonWords.date(created_at)}
          </time>
        </dd>
      </dl>
      <Pills label={words.tags} names={tags} none={words.noTags} />
      {mayEdit && (
        <p>
          <button
            ref={button}
            class="btn sm"
            type="button"
            aria-label={edit.startOf(contactName(contact))}
            onClick={onEdit}
          >
            {edit.start}
          </button>
        </p>
      )}
    </section>
  );
}

interface FactProps {
  readonly label: string;
  readonly value: string | null;
  readonly none?: string;
}

function Fact({ label, value, none = inboxPersonWords.none }: FactProps) {
  return (
    <>
      <dt>{label}</dt>
      <dd class={value === null ? 'faint' : undefined}>{value === null ? none : <bdi>{value}</bdi>}</dd>
    </>
  );
}

/** Short names beside each other. */
export function Pills({ label, names, none }: { label: string; names: readonly string[]; none: string }) {
  if (names.length === 0) return <p class="faint sm">{none}</p>;
  return (
    <ul class="pills" aria-label={label}>
      {names.map((name) => (
        <li key={name} class="pill" dir="auto">
          {name}
        </li>
      ))}
    </ul>
  );
}
