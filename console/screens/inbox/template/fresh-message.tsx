import { useRef } from 'preact/hooks';
import { accountId } from '../../../data/account.js';
import { useQuery } from '../../../data/query.js';
import { LoadFailed } from '../../../parts/load-failed.js';
import { Skeleton } from '../../../parts/skeleton.js';
import { inboxTemplateWords } from '../../../words/inbox-template.js';
import { readableNumber } from '../list/readable-number.js';
import { fullName, givenName } from '../person-name.js';
import { threadAddress } from '../thread-key.js';
import { begin, readNumber } from './fresh-data.js';
import type { TemplateChoice } from './template-choice.js';
import { TemplatePicker } from './template-picker.js';

const words = inboxTemplateWords.fresh;

interface FreshMessageProps {
  readonly digits: string;
  readonly phone: string;
  /** Of somebody new; empty for none. */
  readonly name: string;
  readonly onOpen: (address: string) => void;
}

/** Who has the number, and the first message to them; where there is a conversation already, the way to it. */
export function FreshMessage({ digits, phone, name, onOpen }: FreshMessageProps) {
  const key = ['number', accountId.value ?? '', digits, phone];
  const result = useQuery(key, (signal) => readNumber(digits, phone, signal)).value;
  const attempt = useRef({ said: '', key: '' });
  if (result.data === undefined) {
    if (result.error === null) return <Skeleton />;
    return <LoadFailed what={words.number} error={result.error} retry={() => result.refetch()} />;
  }
  const { person, thread } = result.data;
  const called = person === null ? null : givenName(fullName(person));
  if (thread !== null) {
    const address = threadAddress(thread);
    return (
      <p class="sm" role="status" dir="auto">
        {words.has(called ?? readableNumber(digits))}{' '}
        <a
          class="link"
          href={address}
          onClick={(event) => {
            event.preventDefault();
            onOpen(address);
          }}
        >
          {words.open}
        </a>
      </p>
    );
  }
  const send = async (choice: TemplateChoice): Promise<void> => {
    // The same message, sent again after an answer that was lost, reaches the person once.
    const said = JSON.stringify([name, choice]);
    if (attempt.current.said !== said) attempt.current = { said, key: crypto.randomUUID() };
    onOpen(threadAddress(await begin({ contact: digits, phone }, name, choice, attempt.current.key)));
  };
  return (
    <>
      {called !== null && (
        <p class="sm" role="status" dir="auto">
          {words.knows(called)}
        </p>
      )}
      <TemplatePicker contact={digits} contactId={person?.id ?? null} phone={phone} onSend={send} />
    </>
  );
}
