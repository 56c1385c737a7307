/** One record of a CSV file. */
export interface CsvRecord {
  /** Line on which it starts; the header starts on line 1. */
  readonly line: number;
  /** As far as they could be read. */
  readonly cells: readonly string[];
  /** What is wrong with it; null if nothing is. */
  readonly fault: string | null;
}

/** Longest record, UTF-16 units. Also limits how much is read to find where a quote is closed. */
export const MAX_RECORD = 1024 * 1024;
/** As many as a spreadsheet has columns. */
const MAX_CELLS = 16_384;
const QUOTE = 0x22;
const TAB = 0x09;
const BLANK = 0x20;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

const TOO_LONG = `the row has more than ${MAX_RECORD} characters`;
const TOO_WIDE = `the row has more than ${MAX_CELLS} cells`;
const strayQuote = (cell: number): string =>
  `cell ${cell} has a stray quote: a cell with quotes must begin and end with one, and have those within it doubled`;

export interface FoundRecord {
  readonly cells: readonly string[];
  readonly fault: string | null;
  /** Where the next record starts, or how far this one was read. */
  readonly end: number;
  /** Whether it has line breaks within quotes. */
  readonly hasQuotedLines: boolean;
  /** Whether it does not end in this text. */
  readonly isOpen: boolean;
}

/** Every stray quote is at fault. */
const NONE = (): boolean => false;

/** The first record of a text that may go on; null when it may be longer. */
export function firstRecord(
  text: string,
  separator: string,
  isLast: boolean,
): Pick<FoundRecord, 'cells' | 'fault' | 'end'> | null {
  const found = readRecord(text, 0, separator, isLast, NONE);
  if (found.end > MAX_RECORD) return { ...startOf(text, 0, separator, NONE), end: found.end };
  return found.isOpen ? null : found;
}

/** What can be said of a record that is too long. */
export const startOf = (
  text: string,
  from: number,
  separator: string,
  isFree: (cell: number) => boolean,
): Pick<CsvRecord, 'cells' | 'fault'> => ({
  cells: readRecord(text.slice(from, from + MAX_RECORD), 0, separator, false, isFree).cells,
  fault: TOO_LONG,
});

/**
 * Reads the record that begins at `from`. Blanks around a cell in quotes are skipped.
 *
 * @param isFree whether stray quotes of a cell, told by its position, are part of it. They are only in a record of one
 * line: otherwise they could hide a quote that is closed too late, or keep one open from every line of a file.
 */
export function readRecord(
  text: string,
  from: number,
  separator: string,
  isLast: boolean,
  isFree: (cell: number) => boolean,
): FoundRecord {
  const separatorCode = separator.charCodeAt(0);
  const cells: string[] = [];
  let hasQuotedLines = false;
  let hasStrayQuotes = false;
  const found = (fault: string | null, end: number, isOpen = false): FoundRecord => ({
    cells,
    fault,
    end,
    hasQuotedLines,
    isOpen,
  });
  for (let at = from; ; ) {
    const start = behindBlanks(text, at, separatorCode);
    const quoted = text.charCodeAt(start) === QUOTE ? readQuoted(text, start + 1) : undefined;
    if (quoted === null) return found(isLast ? strayQuote(cells.length + 1) : null, text.length, !isLast);
    let end =
      quoted === undefined
        ? endOfPlain(text, start, separatorCode, false)
        : behindBlanks(text, quoted.end, separatorCode);
    // The next piece may start with a second quote, or go on with a plain cell.
    if (end === text.length && !isLast) return found(null, end, true);
    let cell: string | null = quoted === undefined ? text.slice(at, end) : contentOf(text, start, quoted);
    const hasLines = quoted !== undefined && (cell.includes('\n') || cell.includes('\r'));
    if (!isEnd(text, end, separatorCode)) {
      if (hasLines || hasQuotedLines || !isFree(cells.length)) return found(strayQuote(cells.length + 1), end);
      hasStrayQuotes = true;
      end = endOfPlain(text, end, separatorCode, true);
      if (end === text.length && !isLast) return found(null, end, true);
      cell = text.slice(at, end);
    }
    if (hasLines && hasStrayQuotes) return found(strayQuote(cells.length + 1), end);
    if (cells.length === MAX_CELLS) return found(TOO_WIDE, end);
    cells.push(cell);
    hasQuotedLines ||= hasLines;
    if (end === text.length || text.charCodeAt(end) !== separatorCode) {
      const isReturn = text.charCodeAt(end) === CARRIAGE_RETURN;
      const isPair = isReturn && text.charCodeAt(end + 1) === LINE_FEED;
      return found(null, Math.min(end + (isPair ? 2 : 1), text.length), isReturn && end + 1 === text.length && !isLast);
    }
    at = end + 1;
  }
}

/** Whether a cell may end here. */
function isEnd(text: string, at: number, separator: number): boolean {
  const code = text.charCodeAt(at);
  return code === separator || code === LINE_FEED || code === CARRIAGE_RETURN || at === text.length;
}

function behindBlanks(text: string, from: number, separator: number): number {
  for (let at = from; ; at += 1) {
    const code = text.charCodeAt(at);
    if ((code !== BLANK && code !== TAB) || code === separator) return at;
  }
}

/** Finds the end of an unquoted cell: a separator, a line end, the end of the text, or a quote unless it may have some. */
function endOfPlain(text: string, from: number, separator: number, mayHaveQuotes: boolean): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === separator || code === LINE_FEED || code === CARRIAGE_RETURN) break;
    if (code === QUOTE && !mayHaveQuotes) break;
  }
  return at;
}

interface Quoted {
  /** Behind the closing quote. */
  readonly end: number;
  readonly hasDoubled: boolean;
}

/** What is in the quoted cell that begins at `from`. */
function contentOf(text: string, from: number, { end, hasDoubled }: Quoted): string {
  const content = text.slice(from + 1, end - 1);
  return hasDoubled ? content.replaceAll('""', '"') : content;
}

/** Finds the end of the quoted cell whose content starts at `from`; null when it is not closed. */
function readQuoted(text: string, from: number): Quoted | null {
  let hasDoubled = false;
  for (let at = from; ; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return null;
    if (text.charCodeAt(quote + 1) !== QUOTE) return { end: quote + 1, hasDoubled };
    hasDoubled = true;
    at = quote + 2;
  }
}
