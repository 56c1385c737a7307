const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Blanks of all scripts, and byte order marks that something was put in front of. */
const BLANKS =
  '\t \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\ufeff';

/** What a line without a value may consist of, apart from quotes: 1 at the code of each character. */
export function blanksWith(separators: string): Uint8Array {
  const blanks = new Uint8Array(0x10000);
  for (const character of BLANKS + separators) blanks[character.charCodeAt(0)] = 1;
  return blanks;
}

interface BlankLines {
  /** Where the first line begins that has a value, or does not end in this text. */
  readonly end: number;
  readonly count: number;
}

/**
 * Passes over lines without a value, in one step however many there are: a spreadsheet may save a million of them.
 *
 * @param blanks as {@link blanksWith} gives them
 * @param isLast whether the file ends with this text
 */
export function passBlankLines(text: string, from: number, blanks: Uint8Array, isLast: boolean): BlankLines {
  let [end, count, isQuoted, isStart] = [from, 0, false, true];
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      // A doubled one is a value.
      if (isQuoted ? text.charCodeAt(at + 1) === QUOTE : !isStart) break;
      isQuoted = !isQuoted;
      isStart = false;
    } else if (code === LINE_FEED || code === CARRIAGE_RETURN) {
      // The next piece may start with the line feed after a carriage return.
      if (isQuoted || (code === CARRIAGE_RETURN && at + 1 === text.length && !isLast)) break;
      if (code === CARRIAGE_RETURN && text.charCodeAt(at + 1) === LINE_FEED) at += 1;
      end = at + 1;
      count += 1;
      isStart = true;
    } else if (blanks[code] === 0) break;
    else if (isSeparator(code)) {
      if (isQuoted) break;
      isStart = true;
    }
  }
  if (!isLast || isQuoted || at < text.length || end === text.length) return { end, count };
  return { end: text.length, count: count + 1 };
}

/** Whether one of the blanks separates cells, or may; a tab also is a blank of a cell in quotes. */
const isSeparator = (code: number): boolean => code > 0x20 && code < 0x7f;
