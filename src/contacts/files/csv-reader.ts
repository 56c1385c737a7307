import { badRequest } from '../../errors/domain-error.js';
import { pause } from '../../runtime/slices.js';
import { decoded, type FileEncoding } from './csv-encoding.js';
import { type CsvRecord, firstRecord, type RecordRules, RecordSplitter } from './csv-records.js';

const SEPARATORS = [',', ';', '\t', '|'];
/** Lines without a value, whatever separates the values of the others, and byte order marks that others were put before. */
const BLANK_LINES = /^(?:(?:[\p{Zs}\t,;|\ufeff]|"[\p{Zs}\t]*")*(?:\r\n?|\n))*\ufeff*/u;
const BLANK = /^(?:[\p{Zs}\t,;|\ufeff]|"[\p{Zs}\t]*")*$/u;
/** The first line by which Excel is told the separator, by name if it is a tab. */
const TOLD = /^"?sep=(\\t|[^\r\n"])?"?[ ,;\t]*(?:\r\n?|\n)/i;
/** What programs of DOS end a text with. */
const END_OF_TEXT = '\u001a';

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
  const text = decoded(bytes, encoding);
  const start = await startOf(text);
  if (start === null) return null;
  const { separator, cells, fault } = headerIn(start, columns.isKnown);
  if (fault !== null) throw badRequest(`the header is not valid CSV: ${fault}`);
  const header = columns.headerOf(cells);
  const rules = columns.rulesOf(header);
  const isFaultless = (row: readonly string[]) => outOf(encoding, row) === null && rules.isFaultless(row);
  const splitter = new RecordSplitter(separator, { ...rules, isFaultless });
  const rowOf = (record: CsvRecord): Row => columns.rowOf(header, withFault(record, outOf(encoding, record.cells)));
  return { header, rows: rowsOf(start.head, text, splitter, rowOf) };
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
}

/** Reads until the header is complete with each separator; null when there is none. */
async function startOf(text: AsyncGenerator<string>): Promise<Start | null> {
  let head = '';
  let separators: readonly string[] = SEPARATORS;
  for (;;) {
    const { value, done: isLast = false } = await text.next();
    head = withoutBlankLines(head + (value ?? ''));
    if (isLast && BLANK.test(head)) return null;
    const candidates = candidatesIn(head, separators, isLast);
    if (candidates === null) continue;
    const [line, name = ''] = TOLD.exec(head) ?? [];
    if (line === undefined) return { head, isLast, candidates };
    head = head.slice(line.length);
    const told = name === '\\t' ? '\t' : name;
    separators = told === '' ? SEPARATORS : [told, ...SEPARATORS.filter((separator) => separator !== told)];
    const behind = withoutBlankLines(head);
    const found = BLANK.test(behind) ? null : candidatesIn(behind, separators, isLast);
    if (found !== null) return { head: behind, isLast, candidates: found };
    if (isLast) return null;
  }
}

const withoutBlankLines = (text: string): string => text.replace(BLANK_LINES, '');

/** Null when the header may go on with one of the separators. */
function candidatesIn(head: string, separators: readonly string[], isLast: boolean): readonly Candidate[] | null {
  const found: Candidate[] = [];
  for (const separator of separators) {
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
  let isHeader = true;
  async function* rowsIn(piece: string, isLast: boolean): AsyncGenerator<Row[]> {
    let rows: Row[] = [];
    let read = 0;
    for (const record of splitter.split(piece, isLast)) {
      await pause();
      if (!isHeader && isRow(record)) rows.push(rowOf(record));
      isHeader = false;
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
  fault !== null || ![END_OF_TEXT, ''].includes(first.trim()) || others.some((cell) => cell.trim() !== '');

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
