import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ConsentDecisionRecord } from '../../../../clients/typescript/src/generated/schema.js';
import { ONCE, parley } from '../../../data/api.js';
import { isOffline } from '../../../data/connection.js';
import { failureOf } from '../../../data/failure.js';
import { queries, useQuery } from '../../../data/query.js';
import { session } from '../../../data/session.js';
import { Button } from '../../../parts/button.js';
import { Dialog } from '../../../parts/dialog.js';
import { Icon } from '../../../parts/icon.js';
import { LoadFailed } from '../../../parts/load-failed.js';
import { Notice } from '../../../parts/notice.js';
import { inboxPersonWords } from '../../../words/inbox-person.js';
import { fullTime } from '../../../words/times.js';
import { contactName, givenName } from '../person-name.js';
import { type Contact, contactKey, readDecision } from './person-data.js';

const words = inboxPersonWords.consent;

interface ConsentProps {
  readonly contact: Contact;
  readonly onChanged: (contact: Contact) => void;
}

/** Whether a person may get marketing, since when and by whom; changed by hand after a question. */
export function Consent({ contact, onChanged }: ConsentProps) {
  const { id, opted_in: isIn } = contact;
  const key = [...contactKey(id), 'consent'];
  const result = useQuery(key, (signal) => readDecision(id, signal)).value;
  const isAsking = useSignal(false);
  const section = useRef<HTMLElement>(null);
  const told = useRef(isIn);
  useEffect(() => {
    if (told.current !== isIn) void queries.invalidateQueries({ queryKey: key });
    told.current = isIn;
  }, [isIn]);
  const decision = result.data;
  // Nobody is opted out without a decision. One that says otherwise is older than the record.
  const isCurrent = decision !== undefined && (decision === null || decision.decision === 'in') === isIn;
  return (
    <section ref={section} tabIndex={-1} aria-label={words.title}>
      <h2>{words.title}</h2>
      <div class="sm">
        {isIn ? (
          // Without a decision they get marketing too, but have not agreed to it.
          isCurrent && <p>{decision === null ? words.undecided : words.in}</p>
        ) : (
          <p class="opted-out">
            <Icon name="stop" />
            {words.out}
          </p>
        )}
        {isCurrent && <Decision decision={decision} />}
      </div>
      {decision === undefined && result.error !== null && (
        <LoadFailed what={words.part} error={result.error} retry={() => result.refetch()} />
      )}
      {mayDecide(!isIn) && (
        <p>
          <Button
            isSmall
            onPress={() => {
              isAsking.value = true;
            }}
          >
            {isIn ? words.optOut : words.optIn}
          </Button>
        </p>
      )}
      {isAsking.value && (
        <Question
          contact={contact}
          isOptIn={!isIn}
          onChanged={(changed) => {
            onChanged(changed);
            isAsking.value = false;
            // The button that asked may be gone.
            section.current?.focus();
          }}
          onClose={() => {
            isAsking.value = false;
          }}
        />
      )}
    </section>
  );
}

/** Agents may opt people out, and leave lifting that to managers. */
function mayDecide(isOptIn: boolean): boolean {
  const open = session.value;
  if (open === null || !open.scopes.includes('contacts:write')) return false;
  return !isOptIn || open.user.role !== 'agent';
}

function Decision({ decision }: { decision: ConsentDecisionRecord | null }) {
  if (decision === null) return <p class="dim xs">{words.reached}</p>;
  const { by, evidence, at } = decision;
  const how = [words.by[by], evidence === null ? undefined : words.how[evidence.kind]].filter(Boolean).join(', ');
  return (
    <p class="dim xs">
      <time dateTime={at} title={fullTime(at)}>
        {words.since(inboxPersonWords.date(at))}
      </time>
      {how !== '' && `, ${how}`}
    </p>
  );
}

interface QuestionProps extends ConsentProps {
  readonly isOptIn: boolean;
  readonly onClose: () => void;
}

/** Asks once, with what will happen. */
function Question({ contact, isOptIn, onChanged, onClose }: QuestionProps) {
  const { title, text, lifting, confirm } = isOptIn ? words.askIn : words.askOut;
  const [failure, isBusy] = [useSignal<string | null>(null), useSignal(false)];
  const decide = async (): Promise<void> => {
    if (isOffline.value) return;
    isBusy.value = true;
    failure.value = null;
    try {
      onChanged((await parley.contacts.change(contact.id, { opted_in: isOptIn }, ONCE)).contact);
    } catch (error) {
      failure.value = failureOf(error).text;
      isBusy.value = false;
    }
  };
  return (
    <Dialog
      title={title(givenName(contact.first_name) ?? contactName(contact))}
      onClose={onClose}
      answer={
        <>
          <Button onPress={onClose}>{words.keep}</Button>
          <Button
            isPrimary
            isBusy={isBusy.value}
            busyLabel={words.saving}
            refusal={isOffline.value ? words.offline : null}
            onPress={() => void decide()}
          >
            {confirm}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      {lifting !== '' && <p class="dim sm">{lifting}</p>}
      {failure.value !== null && <Notice kind="bad">{failure.value}</Notice>}
    </Dialog>
  );
}
