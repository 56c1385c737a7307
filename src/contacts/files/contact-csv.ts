import { badRequest } from '../../errors/domain-error.js';
import { characters } from '../../http/field-rules.js';
import {
  CONTACT_TABLE,
  type ContactRow,
  FILE_COLUMNS,
  type FieldOf,
  fieldOf,
  GIVEN_COLUMNS,
  TEXT_COLUMNS,
  type TextColumn,
} from '../../people/contact-columns.js';
import { settledNumber } from '../../people/known-numbers.queries.js';
import type { Country } from '../../values/numbering-plans.js';
import type { PhoneNumber } from '../../values/phone-number.js';
import { type NumberReading, readNumber } from '../../values/written-number.js';
import { CONTACT_LIMITS, isEmailAddress } from '../contact-rules.js';
import { csvLine, unguarded } from './csv-line.js';
import type { CsvRecord } from './read-record.js';
import type { RecordRules } from './swallowed-rows.js';

/** Columns that an import reads. It ignores all others, including export columns that a file cannot set. */
const IMPORTED = [...GIVEN_COLUMNS, 'opted_in'] as const;
type Column = (typeof IMPORTED)[number];

/** What databases export for a value that is absent. */
const DATABASE_NULL = '\\N';
/** Characters of a number as people write it. */
const MAX_GIVEN = 64;
/** Characters of the cells that hold one text; tags are limited one by one. */
const MAX_CHARACTERS: readonly (readonly [column: Column, max: number])[] = [
  ['phone_number', MAX_GIVEN],
  ...TEXT_COLUMNS.map((name) => [name, CONTACT_TABLE[name].max] as const),
];
/** UTF-16 units of a cell for each character that it may have: two, and an apostrophe that disarms a formula for each. */
const UNITS_PER_CHARACTER = 4;
/** UTF-16 units of a cell with as many and as long tags as there may be, each character written as an escape in JSON. */
const MAX_TAGS_UNITS = CONTACT_LIMITS.tags * (6 * CONTACT_LIMITS.tag + 4);
/** UTF-16 units of a truth value, far more than any has. */
const MAX_TRUTH_UNITS = 256;

/** Whether a cell of a header names a column that an import reads, or that an export writes. */
export const isKnownColumn = (cell: string): boolean => KNOWN.has(columnName(cell));

const KNOWN: ReadonlySet<string> = new Set([...IMPORTED, ...FILE_COLUMNS]);

/** Without marks that nobody sees, such as one of the reading direction. */
const columnName = (cell: string): string =>
  cell
    .replace(/\p{Cf}/gu, '')
    .trim()
    .toLowerCase();

/** The position of each column in a file. */
export interface CsvHeader {
  readonly width: number;
  readonly columns: ReadonlyMap<Column, number>;
  /** The positions of all of them. */
  readonly read: ReadonlySet<number>;
}

/** One row of an import; null for an empty cell, which leaves the value unchanged. */
export interface ImportedContact extends Readonly<Record<FieldOf<TextColumn>, string | null>> {
  /** Line on which the row starts; the header is line 1. */
  readonly line: number;
  /** The number as written in the file. */
  readonly given: string;
  readonly phoneNumber: PhoneNumber;
  readonly tags: string[] | null;
  readonly optedIn: boolean | null;
}

/** A row whose number may depend on the contacts that there are, as in a {@link NumberReading}. */
export interface ReadRow extends Omit<ImportedContact, 'phoneNumber'> {
  readonly phoneNumber: NumberReading['number'];
  readonly ifKnown: NumberReading['ifKnown'];
}

/** A row that was not imported, and why. */
export interface RowFault {
  readonly line: number;
  /** As written in the file. */
  readonly phoneNumber: string;
  readonly error: string;
}

/** The first line of an export. */
export const exportHeader = (): string => csvLine(FILE_COLUMNS);

/** Formats a contact as a line of an export. */
export const exportLine = (contact: ContactRow): string =>
  csvLine(FILE_COLUMNS.map((name) => writeCell(contact[fieldOf(name)])));

function writeCell(value: ContactRow[keyof ContactRow]): string | null {
  if (Array.isArray(value)) return writeTags(value);
  if (value instanceof Date) return value.toISOString();
  return value === null ? null : String(value);
}

/**
 * Reads the header of an import.
 *
 * @throws DomainError `bad_request` when the column `phone_number` is missing, or a column appears twice
 */
export function readHeader(cells: readonly string[]): CsvHeader {
  const columns = new Map<Column, number>();
  for (const [index, cell] of cells.entries()) {
    const name = columnName(cell);
    const column = IMPORTED.find((known) => known === name);
    if (column === undefined) continue;
    if (columns.has(column)) throw badRequest(`the header has the column ${column} twice`);
    columns.set(column, index);
  }
  if (!columns.has('phone_number')) {
    throw badRequest('the first line must be a header of contact fields with the column phone_number');
  }
  return { width: cells.length, columns, read: new Set(columns.values()) };
}

/**
 * Reads one row of an import, or reports what is wrong with it. Cells that it lacks are empty; empty ones that the header
 * lacks are ignored.
 *
 * @param country where numbers without `+` or `00` may be dialled; null: nowhere
 */
export function readRow(
  header: CsvHeader,
  { line, cells, fault: csvFault }: CsvRecord,
  country: Country | null,
): ReadRow | RowFault {
  const { width } = header;
  const written = (column: Column): string => writtenIn(header, cells, column);
  const cell = (column: Column): string | null => {
    const text = unguarded(written(column));
    return text === '' || text === DATABASE_NULL ? null : text;
  };
  const given = unguarded(written('phone_number').slice(0, UNITS_PER_CHARACTER * MAX_GIVEN));
  const fault = (error: string): RowFault => faultOf({ line, given }, error);
  if (csvFault !== null) return fault(csvFault);
  if (cells.length > width && cells.slice(width).some((text) => text.trim() !== ''))
    return fault(`the row has ${cells.length} cells, the header has ${width}`);
  // Before anything that takes time in proportion to the length.
  const far = farBeyond(header, cells);
  if (far !== null) return fault(far);
  if (IMPORTED.some((column) => written(column).includes('\u0000')))
    return fault('the row must not contain NUL characters');
  if (given === '') return fault('phone_number is required');
  const { number: phoneNumber, ifKnown } = readNumber(given, country);
  if (phoneNumber === null && ifKnown === null) return fault(notANumber(country));

  const texts = {} as Record<FieldOf<TextColumn>, string | null>;
  let error: string | null = null;
  for (const name of TEXT_COLUMNS) {
    const text = cell(name);
    texts[fieldOf(name)] = text;
    error ??= tooLong(name, text, CONTACT_TABLE[name].max);
  }
  const row = { ...texts, tags: readTags(cell('tags')), optedIn: readBoolean(cell('opted_in')) };
  error ??=
    (row.email !== null && !isEmailAddress(row.email) ? 'email must be an email address' : null) ??
    wrongTags(row.tags) ??
    (row.optedIn === undefined ? NO_TRUTH : null);
  return error === null ? { line, given, phoneNumber, ifKnown, ...row, optedIn: row.optedIn ?? null } : fault(error);
}

/** Without blanks around it, and without the NULs with which some programs fill a cell. */
function writtenIn({ columns }: CsvHeader, cells: readonly string[], column: Column): string {
  const text = cells[columns.get(column) ?? -1] ?? '';
  let end = text.length;
  while (text.charCodeAt(end - 1) === 0) end -= 1;
  return text.slice(0, end).trim();
}

/** Which cell is so long that it need not be read to know that it is too long. */
function farBeyond(header: CsvHeader, cells: readonly string[]): string | null {
  for (const [column, max] of MAX_CHARACTERS) {
    const text = writtenIn(header, cells, column);
    if (text.length > UNITS_PER_CHARACTER * max) return tooLong(column, text, max);
  }
  const { length } = writtenIn(header, cells, 'tags');
  if (length > MAX_TAGS_UNITS) return `tags must be at most ${MAX_TAGS_UNITS} characters (got ${length})`;
  return writtenIn(header, cells, 'opted_in').length > MAX_TRUTH_UNITS ? NO_TRUTH : null;
}

/** Tells rows of several lines that are meant from those which a quote makes that is closed too late. */
export const rulesOf = (header: CsvHeader, country: Country | null): RecordRules => ({
  width: header.width,
  key: header.columns.get('phone_number') ?? 0,
  isRead: (column) => header.read.has(column),
  isKey: (cell) => cell.length >= 7 && cell.length <= MAX_GIVEN && /(?:\d\D*){7}/.test(cell) && !/\p{L}/u.test(cell),
  isFaultless: (cells) => {
    const row = readRow(header, { line: 0, cells, fault: null }, country);
    return !isFault(row) && row.phoneNumber !== null;
  },
});

export const isFault = (row: ReadRow | ImportedContact | RowFault): row is RowFault => 'error' in row;

/** The row with the number that it means, or the fault that it means none. */
export function settleRow(
  row: ReadRow,
  known: ReadonlySet<PhoneNumber>,
  country: Country | null,
): ImportedContact | RowFault {
  if (isCertain(row)) return row;
  const phoneNumber = settledNumber({ number: row.phoneNumber, ifKnown: row.ifKnown }, known);
  return phoneNumber === null ? faultOf(row, notANumber(country)) : { ...row, phoneNumber };
}

/** Nearly all rows; they are not copied. */
const isCertain = (row: ReadRow): row is ReadRow & ImportedContact => row.phoneNumber !== null && row.ifKnown === null;

const notANumber = (country: Country | null): string =>
  country === null
    ? 'phone_number is not a possible phone number with country code'
    : `phone_number is not a possible phone number in ${country} or with country code`;

const faultOf = ({ line, given }: Pick<ReadRow, 'line' | 'given'>, error: string): RowFault => ({
  line,
  // A copy: a slice would keep its whole chunk of the file in memory until the import ends.
  phoneNumber: Buffer.from(given.slice(0, 60)).toString(),
  error,
});

function tooLong(field: string, value: string | null, max: number): string | null {
  if (value === null || value.length <= max) return null;
  const length = characters(value);
  return length <= max ? null : `${field} must be at most ${max} characters (got ${length})`;
}

function wrongTags(tags: string[] | null): string | null {
  if (tags === null) return null;
  if (tags.length > CONTACT_LIMITS.tags)
    return `tags must have at most ${CONTACT_LIMITS.tags} entries (got ${tags.length})`;
  for (const tag of tags) {
    if (tag.includes('\u0000')) return 'tags must not contain NUL characters';
    const error = tooLong('a tag', tag, CONTACT_LIMITS.tag);
    if (error !== null) return error;
  }
  return null;
}

const NO_TRUTH = 'opted_in must be true or false';
/** Also as spreadsheet programs of other languages save `true` and `false`. */
const YES = words(
  'true yes 1 wahr vrai verdadero vero verdadeiro waar prawda pravda adevărat sant sand sann tosi doğru igaz истина',
);
const NO = words(
  'false no 0 falsch faux falso onwaar fałsz nepravda fals falskt falsk usann epätosi yanliş yanlış hamis ложь',
);

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

function readBoolean(cell: string | null): boolean | null | undefined {
  if (cell === null) return null;
  const word = cell.normalize().toLowerCase();
  return YES.has(word) || (NO.has(word) ? false : undefined);
}

/** The characters that people put between tags. */
const TAG_SEPARATOR = /[,;|]/;

/** Writes tags as one cell: comma-separated, or a JSON array if commas would not read back the same. */
function writeTags(tags: readonly string[]): string {
  const plain = tags.every((tag) => tag !== '' && tag === tag.trim() && !TAG_SEPARATOR.test(tag));
  return plain && !tags[0]?.startsWith('[') ? tags.join(',') : JSON.stringify(tags);
}

function readTags(cell: string | null): string[] | null {
  if (cell === null) return null;
  if (cell.startsWith('[')) {
    try {
      const tags: unknown = JSON.parse(cell);
      if (Array.isArray(tags) && tags.every((tag) => typeof tag === 'string' && tag.isWellFormed())) return tags;
    } catch {
      // A plain tag that starts with a bracket.
    }
  }
  return cell
    .split(TAG_SEPARATOR)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
