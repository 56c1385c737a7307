import { badRequest } from '../../errors/domain-error.js';
import { pause } from '../../runtime/slices.js';
import { blanksWith, passBlankLines } from './blank-lines.js';
import { decoded, type FileEncoding } from './csv-encoding.js';
import { RecordSplitter } from './csv-records.js';
import { type CsvRecord, firstRecord } from './read-record.js';
import { lineEndsIn, type RecordRules } from './swallowed-rows.js';

const SEPARATORS = [',', ';', '\t', '|'];
const BLANKS = blanksWith(SEPARATORS.join(''));
/** The first line by which Excel is told the separator, by name if it is a tab. */
const TOLD = /^"?sep=(\\t|[^\r\n"])?"?[ ,;\t]*(?:\r\n?|\n)/i;
/** What programs of DOS end a text with; NULs may fill its last block. */
const END_OF_TEXT = 0x1a;
const NUL = 0;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** UTF-16 units of an ending. */
const MAX_ENDING = 256 * 1024;

/** Records that are read at once; reading goes on when they have been taken. */
const MAX_RECORDS = 1000;

/** What a reader knows of the columns of its files. */
export interface CsvColumns<Header, Row> {
  /** Whether a cell of a header names a column that is known. */
  readonly isKnown: (cell: string) => boolean;
  /** @throws DomainError when something is wrong with the header */
  readonly headerOf: (cells: readonly string[]) => Header;
  readonly rulesOf: (header: Header) => RecordRules;
  /** What a record says, or what is wrong with it. */
  readonly rowOf: (header: Header, record: CsvRecord) => Row;
}

/** A CSV file whose header has been read. */
export interface CsvTable<Header, Row> {
  readonly header: Header;
  /** Those of the other records, at most a thousand at a time and sometimes none, without the blank ones. */
  readonly rows: AsyncGenerator<Row[]>;
}

/**
 * Reads a CSV file with any line endings, and with commas, semicolons, tabs, `|` or what a first line `sep=` says as
 * separators: the one under which the header has most columns that are known, then most columns. What is in front of the
 * header counts for no line.
 *
 * @param encoding as `encodingOf` finds it
 * @returns null when there is nothing in it
 * @throws DomainError `bad_request` when the header cannot be read
 */
export async function readCsv<Header, Row>(
  bytes: AsyncIterable<Buffer>,
  encoding: FileEncoding,
  columns: CsvColumns<Header, Row>,
): Promise<CsvTable<Header, Row> | null> {
  const text = withoutEnding(decoded(bytes, encoding));
  const start = await startOf(text);
  if (start === null) return null;
  const { separator, cells, fault, end } = headerIn(start, columns.isKnown);
  if (fault !== null) throw badRequest(`the header is not valid CSV: ${fault}`);
  const header = columns.headerOf(cells);
  const rules = columns.rulesOf(header);
  const isFaultless = (row: readonly string[]) => outOf(encoding, row) === null && rules.isFaultless(row);
  const line = 1 + lineEndsIn(start.head.slice(0, end), 0);
  const splitter = new RecordSplitter(separator, { ...rules, isFaultless }, line);
  const rowOf = (record: CsvRecord): Row => columns.rowOf(header, withFault(record, outOf(encoding, record.cells)));
  return { header, rows: rowsOf(start.head.slice(end), text, splitter, rowOf) };
}

interface Start {
  /** From the header on, with all of its characters. */
  readonly head: string;
  /** Whether the file ends with it. */
  readonly isLast: boolean;
  readonly candidates: readonly Candidate[];
}

/** The header as it is with one separator. */
interface Candidate extends Pick<CsvRecord, 'cells' | 'fault'> {
  readonly separator: string;
  /** Where the next record starts. */
  readonly end: number;
}

/**
 * Reads until the header is complete with each separator; null when there is none. What has come of a header that is not
 * complete is read again when there is twice as much, and no longer than a slice.
 */
async function startOf(text: AsyncGenerator<string>): Promise<Start | null> {
  let head = '';
  let least = 0;
  let separators: readonly string[] = SEPARATORS;
  for (;;) {
    const { value, done: isLast = false } = await text.next();
    head += value ?? '';
    if (!isLast && head.length < least) continue;
    head = withoutBlankLines(head, isLast);
    if (isLast && head === '') return null;
    const candidates = await candidatesIn(head, separators, isLast);
    least = 2 * head.length;
    if (candidates === null) continue;
    const [line, name = ''] = TOLD.exec(head) ?? [];
    if (line === undefined) return { head, isLast, candidates };
    head = head.slice(line.length);
    const told = name === '\\t' ? '\t' : name;
    separators = told === '' ? SEPARATORS : [told, ...SEPARATORS.filter((separator) => separator !== told)];
    const behind = withoutBlankLines(head, isLast);
    const found = behind === '' ? null : await candidatesIn(behind, separators, isLast);
    if (found !== null) return { head: behind, isLast, candidates: found };
    if (isLast) return null;
  }
}

/** A text without the blank lines and byte order marks that it begins with. */
function withoutBlankLines(text: string, isLast: boolean): string {
  let from = passBlankLines(text, 0, BLANKS, isLast).end;
  while (text.charAt(from) === '\ufeff') from += 1;
  return text.slice(from);
}

/** Null when the header may go on with one of the separators. */
async function candidatesIn(
  head: string,
  separators: readonly string[],
  isLast: boolean,
): Promise<readonly Candidate[] | null> {
  const found: Candidate[] = [];
  for (const separator of separators) {
    await pause();
    const record = firstRecord(head, separator, isLast);
    if (record === null) return null;
    found.push({ separator, ...record });
  }
  return found;
}

/** The header with the separator that makes most sense of it; with the first of several. */
function headerIn({ candidates }: Start, isKnown: (cell: string) => boolean): Candidate {
  const senseOf = ({ cells, fault }: Candidate): readonly number[] => [
    fault === null ? 1 : 0,
    cells.filter(isKnown).length,
    cells.length,
  ];
  return candidates.reduce((best, next) => (isMore(senseOf(next), senseOf(best)) ? next : best));
}

/** Whether the first number that differs is greater. */
const isMore = (one: readonly number[], other: readonly number[]): boolean => {
  const at = one.findIndex((number, index) => number !== other[index]);
  return at >= 0 && (one[at] as number) > (other[at] as number);
};

/** What is behind the header, in slices. */
async function* rowsOf<Row>(
  head: string,
  text: AsyncGenerator<string>,
  splitter: RecordSplitter,
  rowOf: (record: CsvRecord) => Row,
): AsyncGenerator<Row[]> {
  async function* rowsIn(piece: string, isLast: boolean): AsyncGenerator<Row[]> {
    let rows: Row[] = [];
    let read = 0;
    for (const record of splitter.split(piece, isLast)) {
      await pause();
      if (isRow(record)) rows.push(rowOf(record));
      read += 1;
      if (read % MAX_RECORDS !== 0) continue;
      yield rows;
      rows = [];
    }
    yield rows;
  }
  yield* rowsIn(head, false);
  for await (const piece of text) yield* rowsIn(piece, false);
  yield* rowsIn('', true);
}

const isRow = ({ cells: [first = '', ...others], fault }: CsvRecord): boolean =>
  fault !== null || !['\u001a', ''].includes(first.trim()) || others.some((cell) => cell.trim() !== '');

/** A text without the marks at its end that mean nothing. */
async function* withoutEnding(text: AsyncIterable<string>): AsyncGenerator<string> {
  let held = '';
  for await (const piece of text) {
    const end = endingIn(piece);
    if (end === 0 && held.length + piece.length <= MAX_ENDING) {
      held += piece;
      continue;
    }
    if (held !== '' || end > 0) yield held + piece.slice(0, end);
    held = piece.slice(end);
  }
  const rest = held.replace(/[\u0000\u001a]/g, '');
  if (rest !== '') yield rest;
}

/** Where the marks begin with which a text ends, and the line ends among them. */
function endingIn(text: string): number {
  let mark = text.length;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const code = text.charCodeAt(at);
    if (code === NUL || code === END_OF_TEXT) mark = at;
    else if (code !== LINE_FEED && code !== CARRIAGE_RETURN) break;
  }
  return mark;
}

const withFault = (record: CsvRecord, fault: string | null): CsvRecord =>
  fault === null ? record : { ...record, fault };

/** What is wrong with a row whose characters are not all in the encoding of the file; null if they are. */
function outOf({ name, isBroken }: FileEncoding, cells: readonly string[]): string | null {
  if (!isBroken) return null;
  if (name === 'ASCII') return cells.some((cell) => /[^\x00-\x7f]/.test(cell)) ? IN_NO_ENCODING : null;
  return cells.some((cell) => cell.includes('\ufffd'))
    ? `the row has characters that are not in ${name}, as the rest of the file is`
    : null;
}

const IN_NO_ENCODING =
  'the row has characters in an encoding that is not known: save the file in UTF-8, in Excel as “CSV UTF-8”';
