import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { UpdateContactRequest } from '../../../../clients/typescript/src/generated/schema.js';
import { ONCE, parley } from '../../../data/api.js';
import { isOffline } from '../../../data/connection.js';
import { failureOf, hasStatus } from '../../../data/failure.js';
import { Button } from '../../../parts/button.js';
import { isComposing } from '../../../parts/composing.js';
import { Field } from '../../../parts/field.js';
import { Notice } from '../../../parts/notice.js';
import { inboxPersonWords } from '../../../words/inbox-person.js';
import { returnToEdit } from './facts.js';
import type { Contact } from './person-data.js';
import { TagsField, withTag } from './tags-field.js';

const words = inboxPersonWords.edit;

/** The fields that can be edited, by the API’s names. */
const FIELDS = {
  first_name: words.firstName,
  last_name: words.lastName,
  email: words.email,
  company: words.company,
} as const;
type TextName = keyof typeof FIELDS;
type FieldName = TextName | 'tags';
const TEXTS = Object.keys(FIELDS) as TextName[];
const NAMES: readonly FieldName[] = [...TEXTS, 'tags'];

interface EditPersonProps {
  readonly contact: Contact;
  readonly onSaved: (contact: Contact) => void;
  readonly onEnd: () => void;
}

/** Changes what is known of a person. Only what was changed is sent, so that two people can edit at once. */
export function EditPerson({ contact, onSaved, onEnd }: EditPersonProps) {
  const [before, given] = useRef([textsOf(contact), contact.tags] as const).current;
  const texts = useSignal(before);
  const [tags, newTag] = [useSignal(contact.tags as readonly string[]), useSignal('')];
  const problem = useSignal<{ field: FieldName; text: string } | null>(null);
  const [failure, isBusy] = [useSignal<string | null>(null), useSignal(false)];
  const form = useRef<HTMLFormElement>(null);
  const focusOn = (name: FieldName): void =>
    form.current?.querySelectorAll<HTMLElement>('input')[NAMES.indexOf(name)]?.focus();
  useEffect(() => focusOn('first_name'), []);
  useEffect(() => {
    if (problem.value !== null) focusOn(problem.value.field);
  }, [problem.value]);
  const end = (): void => {
    returnToEdit();
    onEnd();
  };
  const refuse = (error: unknown): void => {
    const field = hasStatus(error, 400, 422) ? NAMES.find((name) => isAbout(error.detail, name)) : undefined;
    const { text } = failureOf(error);
    if (field === undefined) failure.value = text;
    else problem.value = { field, text };
  };
  const save = async (): Promise<void> => {
    if (isBusy.value || isOffline.value) return;
    [problem.value, failure.value] = [null, null];
    tags.value = withTag(tags.value, newTag.value);
    newTag.value = '';
    const changes = changesOf({ ...before, tags: given }, { ...texts.value, tags: tags.value });
    if (texts.value.first_name.trim() === '') {
      problem.value = { field: 'first_name', text: words.noName };
      return;
    }
    if (Object.keys(changes).length === 0) {
      end();
      return;
    }
    isBusy.value = true;
    try {
      onSaved((await parley.contacts.change(contact.id, changes, ONCE)).contact);
      end();
    } catch (error) {
      refuse(error);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <section>
      <form
        ref={form}
        class="edit"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || isComposing(event)) return;
          event.preventDefault();
          event.stopPropagation();
          end();
        }}
      >
        {TEXTS.map((name) => (
          <Field
            key={name}
            label={FIELDS[name]}
            type={name === 'email' ? 'email' : 'text'}
            autocomplete="off"
            value={texts.value[name]}
            onInput={(value) => {
              texts.value = { ...texts.value, [name]: value };
            }}
            error={problem.value?.field === name ? problem.value.text : null}
          />
        ))}
        <TagsField
          tags={tags.value}
          typed={newTag.value}
          problem={problem.value?.field === 'tags' ? problem.value.text : null}
          onChange={(changed) => {
            tags.value = changed;
          }}
          onType={(text) => {
            newTag.value = text;
          }}
        />
        {failure.value !== null && <Notice kind="bad">{failure.value}</Notice>}
        <p class="buttons">
          <Button
            isPrimary
            isSmall
            isBusy={isBusy.value}
            busyLabel={words.saving}
            refusal={isOffline.value ? words.offline : null}
          >
            {words.save}
          </Button>
          <Button isSmall onPress={end}>
            {words.cancel}
          </Button>
        </p>
      </form>
    </section>
  );
}

type Texts = Readonly<Record<TextName, string>>;

const textsOf = ({ first_name, last_name, email, company }: Contact): Texts => ({
  first_name,
  last_name: last_name ?? '',
  email: email ?? '',
  company: company ?? '',
});

type Given = Texts & { readonly tags: readonly string[] };

function changesOf(before: Given, after: Given): UpdateContactRequest {
  const changed = TEXTS.filter((name) => after[name].trim() !== before[name].trim());
  return {
    ...Object.fromEntries(changed.map((name) => [name, after[name].trim() || null])),
    ...(after.tags.join('\n') !== before.tags.join('\n') && { tags: [...after.tags] }),
  };
}

/** Whether the API’s words are about a field: `tags[2] must …`. */
const isAbout = (detail: string, field: FieldName): boolean =>
  detail.startsWith(field) && !/^\w/.test(detail.slice(field.length));
