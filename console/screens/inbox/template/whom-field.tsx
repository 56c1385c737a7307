import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { accountId } from '../../../data/account.js';
import { parley } from '../../../data/api.js';
import { useQuery } from '../../../data/query.js';
import { isComposing } from '../../../parts/composing.js';
import { LoadFailed } from '../../../parts/load-failed.js';
import { inboxTemplateWords } from '../../../words/inbox-template.js';
import { readableNumber } from '../list/readable-number.js';
import { contactName } from '../person-name.js';

const words = inboxTemplateWords.fresh;
/** How many people are offered. */
const MAX_FOUND = 8;

interface Found {
  readonly digits: string;
  readonly name: string;
}

/** Whether somebody types a name rather than a number. */
export const isName = (text: string): boolean => /\p{L}/u.test(text);

interface WhomFieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** What is searched for: what was typed, once nothing more comes. */
  readonly settled: string;
  readonly error: string | null;
  readonly input: RefObject<HTMLInputElement | null>;
}

/** The number to write to. A name finds the people who have it, of whom one is chosen. */
export function WhomField({ value, onInput, settled, error, input }: WhomFieldProps) {
  const id = useId();
  const at = useSignal(0);
  const isClosed = useSignal(false);
  const searched = isName(value) && isName(settled) ? settled.trim() : null;
  const result = usePeople(searched ?? '').value;
  const found = searched === null ? undefined : result.data;
  const options = isClosed.value ? [] : (found ?? []);
  const index = Math.min(at.value, options.length - 1);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [index]);
  const choose = (person: Found | undefined): void => {
    if (person === undefined) return;
    onInput(readableNumber(person.digits));
    input.current?.focus();
  };
  const press = (event: KeyboardEvent): void => {
    if (isComposing(event) || options.length === 0) return;
    if (event.key === 'ArrowDown') at.value = Math.min(index + 1, options.length - 1);
    else if (event.key === 'ArrowUp') at.value = Math.max(index - 1, 0);
    else if (event.key === 'Enter') choose(value === settled ? options[index] : undefined);
    // The dialog stays.
    else if (event.key === 'Escape') isClosed.value = true;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="field">
      <label for={id}>{words.number}</label>
      <div class="in">
        <input
          id={id}
          ref={input}
          role="combobox"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          value={value}
          aria-autocomplete="list"
          aria-expanded={options.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={options.length > 0 ? `${id}-${index}` : undefined}
          aria-invalid={error !== null}
          aria-describedby={`${id}-hint ${id}-error`}
          onKeyDown={press}
          onInput={({ currentTarget }) => {
            at.value = 0;
            isClosed.value = false;
            onInput(currentTarget.value);
          }}
        />
      </div>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys */}
      <div
        ref={list}
        id={`${id}-list`}
        class="found"
        role="listbox"
        tabIndex={-1}
        aria-label={words.people}
        hidden={options.length === 0}
        onMouseDown={(event) => event.preventDefault()}
        onClick={({ target }) => {
          const option = target instanceof Element ? target.closest<HTMLElement>('[role="option"]') : null;
          choose(options[Number(option?.dataset['at'] ?? -1)]);
        }}
      >
        {options.map(({ digits, name }, place) => (
          <div
            key={digits}
            id={`${id}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === index}
            data-at={place}
          >
            <b dir="auto">{name}</b> <bdi class="num">{readableNumber(digits)}</bdi>
          </div>
        ))}
      </div>
      <p class="hint" id={`${id}-hint`} role="status">
        {searched === null || found === undefined
          ? words.numberHint
          : found.length === 0
            ? words.nobody(searched)
            : words.found(found.length)}
      </p>
      {searched !== null && result.error !== null && (
        <LoadFailed what={words.people} error={result.error} retry={() => result.refetch()} />
      )}
      <p class="wrong" id={`${id}-error`} role="alert">
        {error}
      </p>
    </div>
  );
}

/** The people who are found by a name. Those without a number can’t be written to first. */
const usePeople = (search: string) =>
  useQuery(['people', accountId.value ?? '', search], async (signal): Promise<readonly Found[]> => {
    if (search === '') return [];
    const { contacts } = await parley.contacts.list({ search, limit: MAX_FOUND }, { signal });
    return contacts.flatMap((contact) =>
      contact.phone_number === null ? [] : [{ digits: contact.phone_number, name: contactName(contact) }],
    );
  });
