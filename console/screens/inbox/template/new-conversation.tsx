import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { BusinessPhoneRecord } from '../../../../clients/typescript/src/generated/schema.js';
import { navigate } from '../../../frame/router.js';
import { Button } from '../../../parts/button.js';
import { Dialog } from '../../../parts/dialog.js';
import { Field } from '../../../parts/field.js';
import { LoadFailed } from '../../../parts/load-failed.js';
import { Skeleton } from '../../../parts/skeleton.js';
import { inboxTemplateWords } from '../../../words/inbox-template.js';
import { usePhones } from '../business-phones.js';
import { readableNumber } from '../list/readable-number.js';
import { FreshMessage } from './fresh-message.js';
import { readTypedNumber } from './number-reading.js';
import { isName, WhomField } from './whom-field.js';

const words = inboxTemplateWords.fresh;
/** How long somebody has to stop typing before the number is looked up, milliseconds. */
const SETTLE_MS = 400;

/** Writes to somebody who never wrote, with a template. */
export function NewConversation({ onClose }: { onClose: () => void }) {
  const phones = usePhones().value;
  return (
    <Dialog title={words.title} onClose={onClose} answer={<Button onPress={onClose}>{words.close}</Button>}>
      <div class="begin">
        {phones.data !== undefined ? (
          <Whom phones={phones.data} onClose={onClose} />
        ) : phones.error !== null ? (
          <LoadFailed what={words.phones} error={phones.error} retry={() => phones.refetch()} />
        ) : (
          <Skeleton />
        )}
      </div>
    </Dialog>
  );
}

interface WhomProps {
  readonly phones: readonly BusinessPhoneRecord[];
  readonly onClose: () => void;
}

function Whom({ phones, onClose }: WhomProps) {
  const [typed, settled, name] = [useSignal(''), useSignal(''), useSignal('')];
  const phone = useSignal((phones.find(({ is_primary }) => is_primary) ?? phones[0])?.waba_phone_id ?? null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    const timer = setTimeout(() => {
      settled.value = typed.value;
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [typed.value]);
  if (phone.value === null) return <p class="dim sm">{words.none}</p>;
  const reading = readTypedNumber(settled.value);
  const isEmpty = settled.value.trim() === '';
  const problem = 'problem' in reading && !isEmpty && !isName(settled.value) ? reading.problem : null;
  // What stands below is about a number: nothing is sent to it once another one is being typed.
  const now = readTypedNumber(typed.value);
  const isCurrent = 'digits' in reading && 'digits' in now && reading.digits === now.digits;
  return (
    <>
      <div class="whom">
        <WhomField
          input={input}
          value={typed.value}
          settled={settled.value}
          onInput={(value) => {
            typed.value = value;
          }}
          error={problem}
        />
        <Field
          label={words.name}
          type="text"
          autocomplete="off"
          value={name.value}
          onInput={(value) => {
            name.value = value;
          }}
          hint={words.nameHint}
        />
        {phones.length > 1 && (
          <PhoneChoice
            phones={phones}
            chosen={phone.value}
            onChoose={(id) => {
              phone.value = id;
            }}
          />
        )}
      </div>
      {'digits' in reading && isCurrent ? (
        <FreshMessage
          key={`${reading.digits} ${phone.value}`}
          digits={reading.digits}
          phone={phone.value}
          name={name.value.trim()}
          onOpen={(address) => {
            onClose();
            navigate(address);
          }}
        />
      ) : (
        problem === null && !('digits' in reading) && <p class="dim sm">{words.first}</p>
      )}
    </>
  );
}

interface PhoneChoiceProps {
  readonly phones: readonly BusinessPhoneRecord[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

function PhoneChoice({ phones, chosen, onChoose }: PhoneChoiceProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{words.from}</label>
      <div class="in">
        <select id={id} value={chosen} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
          {phones.map(({ waba_phone_id, phone }) => (
            <option key={waba_phone_id} value={waba_phone_id}>
              {readableNumber(phone)}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}
