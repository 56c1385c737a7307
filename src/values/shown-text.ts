/** Characters of a value that a message shows. */
export const MAX_SHOWN = 60;
/** The first half of a surrogate pair. */
const HALF_CHARACTER = /[\ud800-\udbff]$/;

/**
 * First the characters that nobody sees: controls, marks of direction, and what has no width. Not the one that makes an
 * emoji of a character, nor joiners between letters of scripts that need them, or between emoji. Then unusual blanks.
 */
const HIDDEN_OR_SPACE =
  /((?!\ufe0f|(?<=[^\0-\x7f])[\u200c\u200d](?=[^\0-\x7f]))[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}])|(?! )\p{Zs}/gu;

/** Whether a character is white space, or one that nobody sees. */
export const isUnseen = (character: string): boolean => character === ' ' || visible(character) !== character;

/** A text in which characters that nobody sees are written as `\u200b` or `\n`, and so are unusual blanks at its ends. */
export function visible(text: string): string {
  const start = text.length - text.trimStart().length;
  const end = text.trimEnd().length;
  return text.replace(HIDDEN_OR_SPACE, (found: string, hidden: string | undefined, at: number) =>
    hidden !== undefined || at < start || at >= end ? escaped(found) : found,
  );
}

/** As JSON may write it. */
const escaped = (character: string): string => {
  const short = JSON.stringify(character).slice(1, -1);
  if (short !== character) return short;
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
};

/** {@link visible} in quotes. */
export const quoted = (text: string): string => `"${visible(JSON.stringify(text).slice(1, -1))}"`;

/** The beginning of a long text, never with half a character at its end. */
export const cutOff = (text: string): string =>
  text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).replace(HALF_CHARACTER, '')}…` : text;

/** A text as messages show it: {@link visible}, a blank one in quotes, a long one cut off. */
export const shownText = (text: string): string =>
  text.trim() === '' ? quoted(text.slice(0, MAX_SHOWN)) : visible(cutOff(text));
