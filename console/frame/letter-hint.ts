import { shortcuts } from '../data/preferences.js';
import { words } from '../words/en.js';

/** What a button tells of the letter that does the same: “Resolve (E)” as its title. Nothing where letters are off. */
export const letterHint = (label: string, letter: string | undefined) =>
  letter !== undefined && shortcuts.value
    ? { title: words.withKey(label, keyName(letter)), 'aria-keyshortcuts': keyName(letter).replace(' ', '+') }
    : { title: label };

/** A letter as keyboards have it: `E`, and `Shift A` for a capital. */
export const keyName = (letter: string): string =>
  letter !== letter.toLowerCase() ? `Shift ${letter}` : letter.toUpperCase();
