import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ContactRecord, TemplateRecord } from '../../../../clients/typescript/src/generated/schema.js';
import { accountId } from '../../../data/account.js';
import { useQuery } from '../../../data/query.js';
import { LoadFailed } from '../../../parts/load-failed.js';
import { Skeleton } from '../../../parts/skeleton.js';
import { inboxTemplateWords as words } from '../../../words/inbox-template.js';
import { contactKey, readContact } from '../person/person-data.js';
import type { TemplateChoice } from './template-choice.js';
import { TemplateForm } from './template-form.js';
import { TemplateList } from './template-list.js';
import type { FilledTemplate } from './template-request.js';
import { readTemplates, refusalOf } from './templates-data.js';

export interface TemplatePickerProps {
  /** The person’s number, digits, or the network’s user id. */
  readonly contact: string;
  /** The record of the person; null for somebody who is not known yet. */
  readonly contactId: string | null;
  /** The record’s id of the business phone. */
  readonly phone: string;
  /** Sends it; what it rejects with is shown at its field or above the button. */
  readonly onSend: (choice: TemplateChoice, takesOver: boolean) => Promise<void>;
  /** Keeps what is entered while the picker is not shown. */
  readonly filled?: Signal<FilledTemplate | null>;
  /** Who else has the conversation, and may have to give way. */
  readonly colleague?: string | null;
  /** The search is there. */
  readonly onReady?: (search: HTMLElement) => void;
}

/** Chooses a template for one person, fills its variables and sends it. */
export function TemplatePicker({ contact, contactId, phone, ...rest }: TemplatePickerProps) {
  const templates = useQuery(['templates', accountId.value ?? '', 'of', phone], (signal) =>
    readTemplates(phone, signal),
  ).value;
  const person = useQuery(contactKey(contactId ?? ''), (signal) =>
    contactId === null ? Promise.resolve(null) : readContact(contactId, signal),
  ).value;
  const error = templates.error ?? person.error;
  if (templates.data !== undefined && person.data !== undefined) {
    return <Picker key={`${contact} ${phone}`} templates={templates.data} person={person.data} {...rest} />;
  }
  if (error === null) return <Skeleton />;
  const retry = () => Promise.all([templates.refetch(), person.refetch()]);
  return <LoadFailed what={words.part} error={error} retry={retry} />;
}

interface PickerProps extends Omit<TemplatePickerProps, 'contact' | 'contactId' | 'phone'> {
  readonly templates: readonly TemplateRecord[];
  readonly person: ContactRecord | null;
}

function Picker({ templates, person, filled, colleague = null, onSend, onReady }: PickerProps) {
  const chosen = useSignal(templates.find(({ id }) => id === filled?.peek()?.template) ?? null);
  const sent = useSignal(0);
  const side = useRef<HTMLParagraphElement>(null);
  // The button that had focus is gone.
  useEffect(() => {
    if (sent.value > 0) side.current?.focus();
  }, [sent.value]);
  const template = chosen.value;
  const refusal = template === null ? null : refusalOf(template, person);
  return (
    <div class="picker-frame">
      <div class="picker">
        <TemplateList
          templates={templates}
          chosen={template?.id ?? null}
          onChoose={(one) => {
            chosen.value = one;
          }}
          refusalOf={(one) => refusalOf(one, person)}
          onReady={onReady}
        />
        {template === null || refusal !== null ? (
          <p ref={side} class="fill dim sm" tabIndex={-1} role="status">
            {refusal ?? words.choose}
          </p>
        ) : (
          <TemplateForm
            key={`${template.id} ${person?.id}`}
            template={template}
            person={person}
            filled={filled}
            colleague={colleague}
            onSend={onSend}
            onSent={() => {
              if (filled !== undefined) filled.value = null;
              chosen.value = null;
              sent.value += 1;
            }}
          />
        )}
      </div>
    </div>
  );
}
