import { useEffect } from 'preact/hooks';
import { isHelpShown } from './help-shown.js';
import { addressOfEntry } from './last-place.js';
import { isShortcut } from './letters.js';
import { navigate } from './router.js';
import type { NavigationEntry } from './screens.js';

/** How long `g` waits for the second letter, milliseconds. */
const SECOND_LETTER_MS = 1500;

interface ShortcutKeysProps {
  readonly entries: readonly NavigationEntry[];
  readonly base: string | null;
  /** Below the account. */
  readonly path: string;
}

/** Single letters outside of fields: `?` for help, `g` and a letter for a screen. */
export function ShortcutKeys({ entries, base, path }: ShortcutKeysProps) {
  useEffect(() => {
    let goes = Number.NEGATIVE_INFINITY;
    const press = (event: KeyboardEvent): void => {
      if (!isShortcut(event)) return;
      const isSecond = performance.now() - goes < SECOND_LETTER_MS;
      goes = Number.NEGATIVE_INFINITY;
      if (isSecond) {
        // The same letter may mean something on the screen.
        event.preventDefault();
        const entry = entries.find(({ letter }) => letter === event.key);
        if (entry !== undefined) navigate(addressOfEntry(entry, base, path));
      } else if (event.key === 'g') goes = performance.now();
      else if (event.key === '?') isHelpShown.value = true;
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [entries, base, path]);
  return null;
}
