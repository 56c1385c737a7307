import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { shortcuts } from '../data/preferences.js';

/** What a single letter does on a screen. */
export interface Letter {
  /** As the list of shortcuts says it. */
  readonly label: string;
  readonly press: () => void;
}

/** The letters of a screen, by the key. */
export type Letters = Readonly<Record<string, Letter>>;

/** Where keys mean something else: they write there, or choose. */
const FIELDS = 'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"]';
/** What somebody has opened over the page. Keys are meant for it, even while it still loads and has no focus. */
const OPENED = 'dialog:modal, [aria-haspopup][aria-expanded="true"]';

/** The letters of what is shown, for the list of shortcuts. */
export const shownLetters = signal<readonly { readonly key: string; readonly label: string }[]>([]);

/** Single letters of a screen, outside of fields. Those that the frame has used do nothing here. */
export function useLetters(letters: Letters): void {
  const latest = useRef(letters);
  latest.current = letters;
  const keys = Object.keys(letters).join('');
  useEffect(() => {
    const mine = Object.entries(latest.current).map(([key, { label }]) => ({ key, label }));
    shownLetters.value = [...shownLetters.peek(), ...mine];
    return () => {
      shownLetters.value = shownLetters.peek().filter((one) => !mine.includes(one));
    };
  }, [keys]);
  // As soon as it is drawn: no key is lost.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const letter = event.defaultPrevented || !isShortcut(event) ? undefined : latest.current[event.key];
      if (letter === undefined) return;
      event.preventDefault();
      letter.press();
    };
    // The frame listens to the document, and is asked first.
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

/** Whether a key is meant as a shortcut: outside of fields, lists and dialogs, alone, and pressed once. */
export function isShortcut({ target, ctrlKey, metaKey, altKey, repeat }: KeyboardEvent): boolean {
  if (!shortcuts.value || repeat || ctrlKey || metaKey || altKey) return false;
  const isInField = target instanceof Element && target.closest(FIELDS) !== null;
  return !isInField && document.querySelector(OPENED) === null;
}
