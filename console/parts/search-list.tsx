import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { isComposing } from './composing.js';

export interface SearchOption {
  readonly id: string;
  /** What it is called. */
  readonly label: string;
  /** What is shown below its name. */
  readonly detail?: string;
  /** What is shown in place of its name. */
  readonly sign?: string;
}

interface SearchListProps {
  readonly class: string;
  readonly label: string;
  /** The name of the field. */
  readonly find: string;
  readonly match: (query: string) => readonly SearchOption[];
  /** Whether what is searched has yet to come. An Enter waits for it, so that nobody who types fast has to. */
  readonly isLoading?: boolean;
  /** Why what is searched did not come, in the place of the options. */
  readonly failure?: ComponentChildren;
  /** What it says where nothing matches. */
  readonly none: (query: string) => ComponentChildren;
  readonly onChoose: (id: string) => void;
  readonly onClose: () => void;
  /** A slash in the empty field. */
  readonly onSlash?: (() => void) | undefined;
  /** A blank in the empty field. */
  readonly onBlank?: (() => void) | undefined;
}

/** A list that floats over the page: typing finds, arrows move, Enter chooses, Escape closes. */
export function SearchList(props: SearchListProps) {
  const { class: name, label, find, match, isLoading = false, failure, none, onChoose, onClose } = props;
  const instead: Readonly<Record<string, (() => void) | undefined>> = { '/': props.onSlash, ' ': props.onBlank };
  const [query, at] = [useSignal(''), useSignal(0)];
  const [box, id] = [useRef<HTMLDivElement>(null), useId()];
  const options = match(query.value.trim().toLowerCase());
  const index = Math.min(at.value, options.length - 1);
  const isAwaited = useRef(false);
  // At once: what is typed on must not get into what had focus before. The button of a failure goes with its focus.
  useLayoutEffect(() => box.current?.querySelector('input')?.focus(), [failure === undefined]);
  useLayoutEffect(() => {
    if (isLoading) return;
    const chosen = isAwaited.current ? options[index] : undefined;
    isAwaited.current = false;
    if (chosen !== undefined) onChoose(chosen.id);
  }, [isLoading]);
  useEffect(() => {
    const outside = ({ target }: Event): void => {
      if (target instanceof Node && box.current?.contains(target) === false) onClose();
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, []);
  useLayoutEffect(() => {
    box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [index, query.value]);
  const press = (event: KeyboardEvent): void => {
    if (isComposing(event)) return;
    const chosen = options[index];
    const step = stepOf(event.key, box.current);
    const other = query.value === '' ? instead[event.key] : undefined;
    if (other !== undefined) other();
    else if (event.key === 'Enter') {
      if (chosen !== undefined) onChoose(chosen.id);
      isAwaited.current = isLoading;
    } else if (step !== 0) at.value = Math.max(0, Math.min(options.length - 1, index + step));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={box}
      class={`search-list ${name}`}
      role="dialog"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || isComposing(event)) return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && box.current?.contains(relatedTarget) === false) onClose();
      }}
    >
      <div class="in">
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={options.length === 0 ? undefined : `${id}-${index}`}
          aria-label={find}
          placeholder={find}
          autocomplete="off"
          value={query.value}
          onKeyDown={press}
          onInput={({ currentTarget }) => {
            query.value = currentTarget.value;
            at.value = 0;
            isAwaited.current = false;
          }}
        />
      </div>
      {options.length === 0 && (failure ?? <p role="status">{none(query.value)}</p>)}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys */}
      <div
        id={id}
        role="listbox"
        tabIndex={-1}
        aria-label={label}
        onMouseDown={(event) => event.preventDefault()}
        onClick={({ target }) => {
          const option = target instanceof Element ? target.closest<HTMLElement>('[role="option"]') : null;
          const chosen = options[Number(option?.dataset['at'] ?? -1)];
          if (chosen !== undefined) onChoose(chosen.id);
        }}
      >
        {options.map((option, place) => (
          <div
            key={option.id}
            id={`${id}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === index}
            aria-label={option.sign === undefined ? undefined : option.label}
            title={option.sign === undefined ? undefined : option.label}
            data-at={place}
            dir="auto"
          >
            {option.sign ?? <b>{option.label}</b>}
            {option.detail !== undefined && <span>{option.detail}</span>}
          </div>
        ))}
      </div>
    </div>
  );
}

/** How many options a key goes on; options that stand beside each other are a grid. */
function stepOf(key: string, box: HTMLElement | null): number {
  const items = [...(box?.querySelectorAll<HTMLElement>('[role="option"]') ?? [])];
  const columns = Math.max(
    1,
    items.findIndex(({ offsetTop }) => offsetTop !== items[0]?.offsetTop),
  );
  if (key === 'ArrowDown') return columns;
  if (key === 'ArrowUp') return -columns;
  if (columns === 1 && !(items.length > 1 && items[1]?.offsetTop === items[0]?.offsetTop)) return 0;
  const isTurned = box !== null && getComputedStyle(box).direction === 'rtl';
  if (key === 'ArrowRight') return isTurned ? -1 : 1;
  return key === 'ArrowLeft' ? (isTurned ? 1 : -1) : 0;
}
