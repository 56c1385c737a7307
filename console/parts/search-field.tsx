import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { shortcuts } from '../data/preferences.js';
import { isComposing } from './composing.js';
import { Icon } from './icon.js';

/** How long somebody has to stop typing before it is searched for, milliseconds. */
const SETTLE_MS = 250;

interface SearchFieldProps {
  readonly label: string;
  /** What may be typed. */
  readonly hint: string;
  readonly maxLength: number;
  /** What is searched for. */
  readonly value: string;
  readonly onSearch: (text: string) => void;
  readonly input: RefObject<HTMLInputElement | null>;
}

/** A field that searches while somebody types. */
export function SearchField({ label, hint, maxLength, value, onSearch, input }: SearchFieldProps) {
  const id = useId();
  const typed = useSignal(value);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const searchFor = (text: string): void => {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = null;
    onSearch(text);
  };
  const settle = (): void => {
    if (timer.current !== null) searchFor(typed.value);
  };
  const latest = useRef(settle);
  latest.current = settle;
  useEffect(() => {
    // While somebody types, what was searched for before is old.
    if (timer.current === null) typed.value = value;
  }, [value]);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
  return (
    <search class="in search">
      <Icon name="search" />
      <label class="hide" for={id}>
        {label}
      </label>
      <input
        id={id}
        ref={input}
        type="search"
        autocomplete="off"
        spellcheck={false}
        placeholder={hint}
        aria-keyshortcuts={shortcuts.value ? '/' : undefined}
        maxLength={maxLength}
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          if (timer.current !== null) clearTimeout(timer.current);
          timer.current = setTimeout(() => latest.current(), SETTLE_MS);
        }}
        onKeyDown={(event) => {
          const { key } = event;
          if (isComposing(event)) return;
          if (key === 'Enter') settle();
          if (key !== 'Escape' || typed.value === '') return;
          event.preventDefault();
          typed.value = '';
          searchFor('');
        }}
      />
      {shortcuts.value && (
        <span aria-hidden="true">
          <kbd>/</kbd>
        </span>
      )}
    </search>
  );
}
