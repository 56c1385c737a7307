import { blanksWith, passBlankLines } from './blank-lines.js';
import { type CsvRecord, MAX_RECORD, readRecord, startOf } from './read-record.js';
import { type RecordRules, SwallowedRows } from './swallowed-rows.js';

const LINE_END = /\r\n|\n|\r/g;
const LINE_BREAK = /[\r\n]/;
/** How much of a line is searched for its key when its quotes cannot be read, UTF-16 units. */
const MAX_SEARCHED = 4096;

const closedTooLate = (line: number): string =>
  `a quote seems to be closed too late, because line ${line} looks like a row of its own`;

/**
 * Splits a CSV file (RFC 4180) that comes in pieces into records: cells separated by a character, and quoted if they
 * contain it, a quote or a line break; lines end with CRLF, LF or CR. Lines without a value are left out. After a record
 * that cannot be read, or seems to have swallowed others, it goes on at the second line of that record, so that a quote
 * which is never closed, or too late, takes no other record with it.
 *
 * Handwritten and on whole strings, because a parser that goes byte by byte adds half a second to a large import and
 * leaves tens of megabytes of garbage.
 */
export class RecordSplitter {
  private rest = '';
  /** Whether `rest` continues a line that is passed over. */
  private isPassing = false;
  private readonly blanks: Uint8Array;
  private readonly swallowed: SwallowedRows;

  /**
   * @param separator one character
   * @param line the one with which the text begins
   */
  constructor(
    private readonly separator: string,
    private readonly rules: RecordRules,
    private line = 1,
  ) {
    this.blanks = blanksWith(separator);
    this.swallowed = new SwallowedRows(separator, rules);
  }

  /**
   * The records that end in the next piece, one by one: behind one with a fault there may be a hundred thousand. All of
   * them must be taken before the next piece.
   *
   * @param isLast whether the file ends with it
   */
  *split(piece: string, isLast: boolean): Generator<CsvRecord> {
    const text = this.rest + piece;
    const isFree = (cell: number): boolean => !this.rules.isRead(cell);
    let at = this.isPassing ? this.pass(text, 0, isLast) : 0;
    while (at < text.length && !this.isPassing) {
      const blank = passBlankLines(text, at, this.blanks, isLast);
      at = blank.end;
      this.line += blank.count;
      if (at === text.length) break;
      const found = readRecord(text, at, this.separator, isLast, isFree);
      const isTooLong = found.end - at > MAX_RECORD;
      if (found.isOpen && !isTooLong) break;
      const { cells, fault } = isTooLong ? startOf(text, at, this.separator, isFree) : found;
      if (fault !== null) {
        const named = this.withKey(cells, text, at, isLast);
        if (named === null) break;
        yield { line: this.line, cells: named, fault };
        at = this.pass(text, at, isLast);
      } else if (!found.hasQuotedLines) {
        yield { line: this.line, cells, fault };
        at = found.end;
        this.line += 1;
      } else {
        const { count, rowLike, isReadAgain } = this.swallowed.judge(text.slice(at, found.end), cells);
        yield { line: this.line, cells, fault: rowLike === null ? null : closedTooLate(this.line + rowLike) };
        if (!isReadAgain) this.line += count;
        at = isReadAgain ? this.pass(text, at, isLast) : found.end;
      }
    }
    this.rest = text.slice(at);
  }

  /** The cells of a record that could not be read up to its key, with what seems to be the key; null when it may follow. */
  private withKey(cells: readonly string[], text: string, from: number, isLast: boolean): readonly string[] | null {
    const { key, isKey } = this.rules;
    if (cells.length > key) return cells;
    const searched = text.slice(from, from + MAX_SEARCHED);
    const [line = ''] = searched.split(LINE_BREAK, 1);
    if (!isLast && line.length === searched.length && searched.length < MAX_SEARCHED) return null;
    const cell = line.split(this.separator, key + 1)[key];
    if (cell === undefined || !isKey(cell)) return cells;
    return [...cells, ...Array<string>(key - cells.length).fill(''), cell.replaceAll('"', '').trim()];
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

/** Where the next line starts; null when the line at `from` may go on in the next piece. */
function endOfLine(text: string, from: number, isLast: boolean): number | null {
  LINE_END.lastIndex = from;
  const found = LINE_END.exec(text);
  LINE_END.lastIndex = 0;
  if (found === null) return isLast ? text.length : null;
  const end = found.index + found[0].length;
  return found[0] === '\r' && end === text.length && !isLast ? null : end;
}
