/** What is known of the records of a file; tells those of several lines from the work of a quote that is closed too late. */
export interface RecordRules {
  /** Cells of each. */
  readonly width: number;
  /** The position of a cell that each must have. */
  readonly key: number;
  /** Whether a column is read. In the others stray quotes do no harm. */
  readonly isRead: (column: number) => boolean;
  /** Whether a cell, or a piece of one, may be that one; with or without quotes around it. */
  readonly isKey: (cell: string) => boolean;
  /** Whether nothing else is wrong with a record. May take a tenth of a millisecond. */
  readonly isFaultless: (cells: readonly string[]) => boolean;
}

/** What the lines of a record say of it. */
export interface Judgement {
  readonly count: number;
  /** The first line that looks like a row of its own, if the record is at fault for it; the second line is 1. */
  readonly rowLike: number | null;
  /** Whether to go on at its second line. */
  readonly isReadAgain: boolean;
}

/** Lines of a record that are looked at; the others are only counted. */
const MAX_LINES = 1000;
/** Keys of a record, and of all of a file, of which it is asked whether they are faultless. That takes most of the time. */
const MAX_ASKED = 16;
const MAX_ASKED_OF_FILE = 20_000;
/** No note has as many lines of which each, from the first to the last, is a faultless row. */
const MANY_ROWS = 20;
const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const LINE_BREAK = /[\r\n]/;
/** What follows a comma in a sentence, its end included. */
const BEHIND_COMMA: ReadonlySet<string> = new Set([' ', '\r', '\n', '"', '']);

/**
 * Tells whether a record of several lines, whose quotes are closed where a cell ends, has swallowed rows.
 *
 * With the header's width it hardly ever has: the quote that opens it and the one that closes it would have to stand in
 * one column. So it is what it says it is, and people who are listed in a note are no rows. Only one that is too long or
 * otherwise at fault because of its lines, and most of whose lines are rows of the header's width with faultless keys, is
 * read again; and one with many lines in columns that are not read, if all of them are such rows.
 *
 * With another width it has if one of its lines has a key in its place and as many cells as the header or, if the key is
 * faultless, as the line in which the record begins.
 */
export class SwallowedRows {
  private asked = 0;

  /** @param separator one character */
  constructor(
    private readonly separator: string,
    private readonly rules: RecordRules,
  ) {}

  /** @param record with its line end */
  judge(record: string, cells: readonly string[]): Judgement {
    return cells.length === this.rules.width ? this.ofFullWidth(record, cells) : this.ofOtherWidth(record, cells);
  }

  private ofFullWidth(record: string, cells: readonly string[]): Judgement {
    const { width, isKey, isFaultless, isRead } = this.rules;
    const { count, lines } = this.linesOf(record);
    const isRow = ({ cells: found, isSentence, key }: RecordLine): boolean =>
      found === width && !isSentence && (key === null || isKey(key));
    const rows = lines.filter(isRow);
    const asItIs: Judgement = { count, rowLike: null, isReadAgain: false };
    const rowLike = lines.findIndex((line) => line.key !== null && isRow(line));
    if (rowLike < 0 || 2 * rows.length <= lines.length) return asItIs;
    const asked = rows.flatMap(({ key }) => key ?? []).slice(0, MAX_ASKED);
    if (isFaultless(cells)) {
      const mayBeNote = rows.length < MANY_ROWS || rows.length < lines.length;
      if (mayBeNote || !cells.some((cell, column) => !isRead(column) && LINE_BREAK.test(cell))) return asItIs;
      if (!asked.every((key) => this.isFaultlessKey(key))) return asItIs;
    } else {
      // Something else is wrong with it.
      if (!isFaultless(cells.map((cell) => this.firstPieceOf(cell)))) return asItIs;
      if (2 * asked.filter((key) => this.isFaultlessKey(key)).length <= asked.length) return asItIs;
    }
    return { count, rowLike, isReadAgain: true };
  }

  private ofOtherWidth(record: string, cells: readonly string[]): Judgement {
    const { width, isKey, isFaultless } = this.rules;
    const { count, lines } = this.linesOf(record);
    const [first] = lines;
    let mayHoldRows = count > lines.length;
    let asked = 0;
    for (const [index, line] of lines.entries()) {
      if (line.key === null || first === undefined) continue;
      const hasKey = isKey(line.key);
      const isWhole = !line.isSentence && line.cells === width;
      const isShort = index > 0 && !line.isSentence && isAsWide(line, first);
      const isAsked = hasKey && !isWhole && isShort && asked < MAX_ASKED;
      if (isAsked) asked += 1;
      if (hasKey && (isWhole || (isAsked && this.isFaultlessKey(line.key))))
        return { count, rowLike: index, isReadAgain: true };
      mayHoldRows ||= index > 0 && (hasKey || ((isWhole || isShort) && !line.isEmpty));
    }
    return { count, rowLike: null, isReadAgain: mayHoldRows && !isFaultless(cells) };
  }

  /** A cell as it would be if the quote in front of it were closed in its row. */
  private firstPieceOf(cell: string): string {
    const end = cell.search(LINE_BREAK);
    return end < 0 ? cell : (cell.slice(0, end).split(this.separator, 1)[0] ?? '');
  }

  private linesOf(record: string): { readonly count: number; readonly lines: readonly RecordLine[] } {
    const separator = this.separator.charCodeAt(0);
    const lines: RecordLine[] = [];
    let at = 0;
    while (at < record.length && lines.length < MAX_LINES) {
      const line = readLine(record, at, separator, this.rules.key);
      lines.push(line);
      at = line.end;
    }
    return { count: lines.length + lineEndsIn(record, at), lines };
  }

  /** Whether a row that has nothing else would be faultless. */
  private isFaultlessKey(cell: string): boolean {
    if (this.asked === MAX_ASKED_OF_FILE) return false;
    this.asked += 1;
    const cells = Array<string>(this.rules.key).fill('');
    return this.rules.isFaultless([...cells, cell.replaceAll('"', '')]);
  }
}

/** How many lines there are from `from` on. */
export function lineEndsIn(text: string, from: number): number {
  let count = 0;
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED || (code === CARRIAGE_RETURN && text.charCodeAt(at + 1) !== LINE_FEED)) count += 1;
  }
  return at === from || LINE_BREAK.test(text.charAt(at - 1)) ? count : count + 1;
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
