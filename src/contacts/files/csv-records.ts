/** One record of a CSV file. */
export interface CsvRecord {
  /** Line on which it starts; the header starts on line 1. */
  readonly line: number;
  /** As far as they could be read. */
  readonly cells: readonly string[];
  /** What is wrong with it; null if nothing is. */
  readonly fault: string | null;
}

/** What is known of the records of a file; tells those of several lines from the work of a quote that is closed too late. */
export interface RecordRules {
  /** Cells of each. */
  readonly width: number;
  /** The position of a cell that each must have. */
  readonly key: number;
  /** Whether a cell, or a piece of one, may be that one; with or without quotes around it. */
  readonly isKey: (cell: string) => boolean;
  /** Whether nothing else is wrong with a record. */
  readonly isFaultless: (cells: readonly string[]) => boolean;
}

/** Longest record, UTF-16 units. Also limits how much is read to find where a quote is closed. */
const MAX_RECORD = 1024 * 1024;
/** As many as a spreadsheet has columns. */
const MAX_CELLS = 16_384;
const LINE_END = /\r\n|\n|\r/g;
const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** What follows a comma in a sentence, its end included. */
const BEHIND_COMMA: ReadonlySet<string> = new Set([' ', '\r', '\n', '"', '']);

const TOO_LONG = `the row has more than ${MAX_RECORD} characters`;
const TOO_WIDE = `the row has more than ${MAX_CELLS} cells`;
const closedTooLate = (line: number): string =>
  `a quote seems to be closed too late, because line ${line} looks like a row of its own`;
const strayQuote = (cell: number): string =>
  `cell ${cell} has a stray quote: a cell with quotes must begin and end with one, and have those within it doubled`;

/**
 * Splits a CSV file (RFC 4180) that comes in pieces into records: cells separated by a character, and quoted if they
 * contain it, a quote or a line break; lines end with CRLF, LF or CR. After a record that cannot be read it goes on
 * at the second line of that record, so that a quote which is never closed, or too late, takes no other record with it; so
 * it does when something else is wrong with a record, and one of its lines may be a record. A record is at fault, too,
 * when one of its lines looks like a record, and not like a sentence.
 *
 * Handwritten and on whole strings, because a parser that goes byte by byte adds half a second to a large import and
 * leaves tens of megabytes of garbage.
 */
export class RecordSplitter {
  private rest = '';
  private line = 1;
  /** Whether `rest` continues a line that is passed over. */
  private isPassing = false;

  /** @param separator one character */
  constructor(
    private readonly separator: string,
    private readonly rules: RecordRules,
  ) {}

  /**
   * The records that end in the next piece, one by one: behind one with a fault there may be a hundred thousand. All of
   * them must be taken before the next piece.
   *
   * @param isLast whether the file ends with it
   */
  *split(piece: string, isLast: boolean): Generator<CsvRecord> {
    const text = this.rest + piece;
    let at = this.isPassing ? this.pass(text, 0, isLast) : 0;
    while (at < text.length && !this.isPassing) {
      const found = readRecord(text, at, this.separator, isLast);
      const isTooLong = found.end - at > MAX_RECORD;
      if (found.isOpen && !isTooLong) break;
      const { cells, fault } = isTooLong ? startOf(text, at, this.separator) : found;
      if (fault === null && !found.hasQuotedLines) {
        yield { line: this.line, cells, fault };
        at = found.end;
        this.line += 1;
        continue;
      }
      const lines = fault === null ? this.linesOf(text.slice(at, found.end)) : null;
      const isSuspect = lines !== null && lines.rowLike !== null;
      yield { line: this.line, cells, fault: isSuspect ? closedTooLate(this.line + (lines.rowLike ?? 0)) : fault };
      if (lines === null || isSuspect || (lines.mayHoldRows && !this.rules.isFaultless(cells))) {
        at = this.pass(text, at, isLast);
      } else {
        at = found.end;
        this.line += lines.count;
      }
    }
    this.rest = text.slice(at);
  }

  /** Looks for rows among the lines of a record that has several. */
  private linesOf(record: string): RecordLines {
    const { width, key, isKey } = this.rules;
    const separator = this.separator.charCodeAt(0);
    const first = readLine(record, 0, separator, key);
    let mayHoldRows = false;
    let count = 0;
    for (let at = 0; at < record.length; count += 1) {
      const line = count === 0 ? first : readLine(record, at, separator, key);
      at = line.end;
      if (line.key === null) continue;
      const hasKey = isKey(line.key);
      const isWhole = !line.isSentence && line.cells === width;
      const isShort = count > 0 && !line.isSentence && isAsWide(line, first);
      if (hasKey && (isWhole || (isShort && this.isFaultlessKey(line.key)))) {
        return { count, rowLike: count, mayHoldRows: true };
      }
      mayHoldRows ||= count > 0 && (hasKey || ((isWhole || isShort) && !line.isEmpty));
    }
    return { count, rowLike: null, mayHoldRows };
  }

  /** Whether a row that has nothing else would be faultless. */
  private isFaultlessKey(cell: string): boolean {
    const cells = Array<string>(this.rules.key).fill('');
    return this.rules.isFaultless([...cells, cell.replaceAll('"', '')]);
  }

  /** Passes over a line, also if it does not end yet. @returns where to go on */
  private pass(text: string, from: number, isLast: boolean): number {
    const next = endOfLine(text, from, isLast);
    this.isPassing = next === null;
    if (next !== null) this.line += 1;
    // The next piece may start with the line feed after a carriage return.
    return next ?? (text.endsWith('\r') ? text.length - 1 : text.length);
  }
}

/** The lines of a record. */
interface RecordLines {
  readonly count: number;
  /** The first that looks like a row of its own; the second line is 1. */
  readonly rowLike: number | null;
  /** Whether one behind the first may be a row, if something is wrong with the record. */
  readonly mayHoldRows: boolean;
}

/** A line of a record of several lines, which begins within quotes unless it is the first. */
interface RecordLine {
  /** As if no quote enclosed a separator. */
  readonly cells: number;
  /** How many of its separators stand within quotes. */
  readonly quoted: number;
  /** The cell at the place of the key; null when it begins outside of quotes, and so is the record's own. */
  readonly key: string | null;
  /** Whether a blank follows each separator within quotes, or nothing, as in a sentence. */
  readonly isSentence: boolean;
  /** Whether it has nothing within quotes. */
  readonly isEmpty: boolean;
  /** Where the next one starts. */
  readonly end: number;
}

function readLine(record: string, from: number, separator: number, key: number): RecordLine {
  let isQuoted = from > 0;
  let [cells, quoted, spaced] = [1, 0, 0];
  let cellStart = from;
  let startsQuoted = isQuoted;
  let found: string | null = null;
  for (let at = from; ; at += 1) {
    const code = record.charCodeAt(at);
    const isLineEnd = code === LINE_FEED || code === CARRIAGE_RETURN || at === record.length;
    if (code === QUOTE) isQuoted = !isQuoted;
    if (code !== separator && !isLineEnd) continue;
    if (startsQuoted && cells === key + 1) found = record.slice(cellStart, at);
    if (isLineEnd) {
      const isPair = code === CARRIAGE_RETURN && record.charCodeAt(at + 1) === LINE_FEED;
      const isEmpty = at === from || record.charCodeAt(from) === QUOTE;
      return {
        cells,
        quoted,
        key: found,
        isSentence: quoted > 0 && spaced === quoted,
        isEmpty,
        end: at + (isPair ? 2 : 1),
      };
    }
    cells += 1;
    cellStart = at + 1;
    startsQuoted = isQuoted;
    if (!isQuoted) continue;
    quoted += 1;
    // An apostrophe may disarm a carriage return.
    const next = record.charAt(at + 1);
    if (BEHIND_COMMA.has(next === "'" ? record.charAt(at + 2) : next)) spaced += 1;
  }
}

/** Whether a line has as many cells as the first line of its record, all of them or those up to the quote. */
const isAsWide = ({ cells, quoted }: RecordLine, first: RecordLine): boolean =>
  quoted + 1 === first.cells - first.quoted || (quoted > 0 && cells === first.cells);

/** The first record of a text that may go on; null when it may be longer. */
export function firstRecord(
  text: string,
  separator: string,
  isLast: boolean,
): Pick<CsvRecord, 'cells' | 'fault'> | null {
  const found = readRecord(text, 0, separator, isLast);
  if (found.end > MAX_RECORD) return startOf(text, 0, separator);
  return found.isOpen ? null : found;
}

interface FoundRecord {
  readonly cells: readonly string[];
  readonly fault: string | null;
  /** Where the next record starts, or how far this one was read. */
  readonly end: number;
  /** Whether it has line breaks within quotes. */
  readonly hasQuotedLines: boolean;
  /** Whether it does not end in this text. */
  readonly isOpen: boolean;
}

/** What can be said of a record that is too long. */
const startOf = (text: string, from: number, separator: string): Pick<CsvRecord, 'cells' | 'fault'> => ({
  cells: readRecord(text.slice(from, from + MAX_RECORD), 0, separator, false).cells,
  fault: TOO_LONG,
});

/** Reads the record that begins at `from`. */
function readRecord(text: string, from: number, separator: string, isLast: boolean): FoundRecord {
  const separatorCode = separator.charCodeAt(0);
  const cells: string[] = [];
  let hasQuotedLines = false;
  for (let at = from; ; ) {
    const quoted = text.charCodeAt(at) === QUOTE ? readQuoted(text, at + 1) : undefined;
    if (quoted === null) {
      const fault = isLast ? strayQuote(cells.length + 1) : null;
      return { cells, fault, end: text.length, hasQuotedLines, isOpen: !isLast };
    }
    const end = quoted?.end ?? endOfPlain(text, at, separatorCode);
    // The next piece may start with a second quote, or go on with a plain cell.
    if (end === text.length && !isLast) return { cells, fault: null, end, hasQuotedLines, isOpen: true };
    const found = text.charCodeAt(end);
    const isLineEnd = found === LINE_FEED || found === CARRIAGE_RETURN || end === text.length;
    if (!isLineEnd && found !== separatorCode) {
      return { cells, fault: strayQuote(cells.length + 1), end, hasQuotedLines, isOpen: false };
    }
    if (cells.length === MAX_CELLS) return { cells, fault: TOO_WIDE, end, hasQuotedLines, isOpen: false };
    const cell = quoted === undefined ? text.slice(at, end) : contentOf(text, at, quoted);
    cells.push(cell);
    hasQuotedLines ||= quoted !== undefined && (cell.includes('\n') || cell.includes('\r'));
    if (isLineEnd) {
      const isPair = found === CARRIAGE_RETURN && text.charCodeAt(end + 1) === LINE_FEED;
      const isOpen = found === CARRIAGE_RETURN && end + 1 === text.length && !isLast;
      return { cells, fault: null, end: Math.min(end + (isPair ? 2 : 1), text.length), hasQuotedLines, isOpen };
    }
    at = end + 1;
  }
}

/** Finds the end of an unquoted cell: a separator, a line end, a misplaced quote, or the end of the text. */
function endOfPlain(text: string, from: number, separator: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === separator || code === LINE_FEED || code === CARRIAGE_RETURN || code === QUOTE) break;
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

/** Where the next line starts; null when the line at `from` may go on in the next piece. */
function endOfLine(text: string, from: number, isLast: boolean): number | null {
  LINE_END.lastIndex = from;
  const found = LINE_END.exec(text);
  LINE_END.lastIndex = 0;
  if (found === null) return isLast ? text.length : null;
  const end = found.index + found[0].length;
  return found[0] === '\r' && end === text.length && !isLast ? null : end;
}
