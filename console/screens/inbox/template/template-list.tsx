import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { TemplateRecord } from '../../../../clients/typescript/src/generated/schema.js';
import { Icon } from '../../../parts/icon.js';
import { inboxTemplateWords as words } from '../../../words/inbox-template.js';
import { languageName, templatesWith } from './templates-data.js';

/** Templates that are listed at once; the others are searched for. */
const MAX_SHOWN = 100;

interface TemplateListProps {
  readonly templates: readonly TemplateRecord[];
  /** The id of the one that is chosen. */
  readonly chosen: string | null;
  readonly onChoose: (template: TemplateRecord) => void;
  /** Why one can’t be chosen; null when it can. */
  readonly refusalOf: (template: TemplateRecord) => string | null;
  readonly onReady?: ((search: HTMLElement) => void) | undefined;
}

/** Keys that move through the list: to which place, of how many. */
const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => Math.min(at + 1, count - 1),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** The templates of a business phone, with a search. Moving to one chooses it. */
export function TemplateList({ templates, chosen, onChoose, refusalOf, onReady }: TemplateListProps) {
  const id = useId();
  const typed = useSignal('');
  const active = useSignal<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (search.current !== null) onReady?.(search.current);
  }, []);
  const found = templatesWith(templates, typed.value);
  const shown = found.slice(0, MAX_SHOWN);
  const at = Math.max(
    shown.findIndex((one) => one.id === (active.value ?? chosen)),
    0,
  );
  const choose = (template: TemplateRecord): void => {
    active.value = template.id;
    if (refusalOf(template) === null) onChoose(template);
  };
  const focus = (place: number): void => list.current?.querySelectorAll<HTMLElement>('[role]')[place]?.focus();
  const press = (event: KeyboardEvent): void => {
    const place = MOVES[event.key]?.(at, shown.length);
    const next = place === undefined ? undefined : shown[place];
    if (place === undefined || next === undefined) return;
    event.preventDefault();
    choose(next);
    focus(place);
  };
  return (
    <div class="pick">
      <div class="in search">
        <Icon name="search" />
        <label class="hide" for={id}>
          {words.search}
        </label>
        <input
          ref={search}
          id={id}
          type="search"
          autocomplete="off"
          spellcheck={false}
          placeholder={words.search}
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown' || shown.length === 0) return;
            event.preventDefault();
            focus(at);
          }}
        />
      </div>
      {shown.length > 0 && (
        <div ref={list} class="options" role="listbox" aria-label={words.list} tabIndex={-1} onKeyDown={press}>
          {shown.map((template, place) => (
            <Option
              key={template.id}
              template={template}
              isChosen={template.id === chosen}
              isReached={place === at}
              refusal={refusalOf(template)}
              onChoose={() => choose(template)}
            />
          ))}
        </div>
      )}
      <p class="hint" role="status">
        {found.length === 0
          ? templates.length === 0
            ? words.none
            : words.noneFound(typed.value)
          : found.length > MAX_SHOWN && words.more(found.length - MAX_SHOWN)}
      </p>
    </div>
  );
}

interface OptionProps {
  readonly template: TemplateRecord;
  readonly isChosen: boolean;
  /** Whether Tab leads to it. */
  readonly isReached: boolean;
  readonly refusal: string | null;
  readonly onChoose: () => void;
}

function Option({ template, isChosen, isReached, refusal, onChoose }: OptionProps) {
  const { name, category, language } = template;
  return (
    <button
      type="button"
      role="option"
      tabIndex={isReached ? 0 : -1}
      aria-selected={isChosen}
      aria-disabled={refusal === null ? undefined : 'true'}
      onClick={onChoose}
    >
      <span class="strong cut">
        <bdi>{name}</bdi>
      </span>
      <span class="faint xs">{words.kind(words.categories[category] ?? category, languageName(language))}</span>
      {refusal !== null && <span class="refused xs">{refusal}</span>}
    </button>
  );
}
