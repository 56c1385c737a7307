import { badRequest } from '../../errors/domain-error.js';
import { characters } from '../../http/field-rules.js';
import { normalisePhoneNumber, type PhoneNumber } from '../../values/phone-number.js';
import { CONTACT_LIMITS } from '../contact-limits.js';
import type { ContactRow } from '../contacts.queries.js';
import { isEmailAddress } from '../dto/contact-fields.js';
import { csvLine, unguarded } from './csv-line.js';

/** Columns of an export: the contact's field names. */
const EXPORTED = [
  'id',
  'first_name',
  'last_name',
  'phone_number',
  'email',
  'company',
  'tags',
  'opted_in',
  'source',
  'created_at',
] as const;

/** Columns that an import reads. It ignores all others, including export columns that a file cannot set. */
const IMPORTED = ['phone_number', 'first_name', 'last_name', 'email', 'company', 'tags', 'opted_in'] as const;
type Column = (typeof IMPORTED)[number];

/** The position of each column in a file. */
export interface CsvHeader {
  readonly width: number;
  readonly columns: ReadonlyMap<Column, number>;
}

/** One row of an import; null for an empty cell, which leaves the value unchanged. */
export interface ImportedContact {
  /** Line on which the row starts; the header is line 1. */
  readonly line: number;
  /** The number as written in the file. */
  readonly given: string;
  readonly phoneNumber: PhoneNumber;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly company: string | null;
  readonly tags: string[] | null;
  readonly optedIn: boolean | null;
}

/** A row that was not imported, and why. */
export interface RowFault {
  readonly line: number;
  /** As written in the file. */
  readonly phoneNumber: string;
  readonly error: string;
}

/** The first line of an export. */
export const exportHeader = (): string => csvLine(EXPORTED);

/** Formats a contact as a line of an export. */
export const exportLine = (contact: ContactRow): string =>
  csvLine([
    contact.id,
    contact.firstName,
    contact.lastName,
    contact.phoneNumber,
    contact.email,
    contact.company,
    writeTags(contact.tags),
    String(contact.optedIn),
    contact.source,
    contact.createdAt.toISOString(),
  ]);

/**
 * Reads the header of an import.
 *
 * @throws DomainError `bad_request` when the column `phone_number` is missing, or a column appears twice
 */
export function readHeader(cells: readonly string[]): CsvHeader {
  const columns = new Map<Column, number>();
  for (const [index, cell] of cells.entries()) {
    const name = cell.trim().toLowerCase();
    const column = IMPORTED.find((known) => known === name);
    if (column === undefined) continue;
    if (columns.has(column)) throw badRequest(`the header has the column ${column} twice`);
    columns.set(column, index);
  }
  if (!columns.has('phone_number')) {
    throw badRequest('the first line must be a header of contact fields with the column phone_number');
  }
  return { width: cells.length, columns };
}

/** Reads one row of an import, or reports what is wrong with it. */
export function readRow(
  { width, columns }: CsvHeader,
  cells: readonly string[],
  line: number,
): ImportedContact | RowFault {
  const cell = (column: Column): string | null => {
    const text = unguarded(cells[columns.get(column) ?? -1]?.trim() ?? '');
    return text === '' ? null : text;
  };
  const given = cell('phone_number') ?? '';
  // A copy: a slice would keep its whole chunk of the file in memory until the import ends.
  const fault = (error: string): RowFault => ({
    line,
    phoneNumber: Buffer.from(given.slice(0, 60)).toString(),
    error,
  });
  if (cells.length !== width) return fault(`the row has ${cells.length} cells, the header has ${width}`);
  if (cells.some((text) => text.includes('\u0000'))) return fault('the row must not contain NUL characters');
  if (given === '') return fault('phone_number is required');
  const phoneNumber = normalisePhoneNumber(given);
  if (phoneNumber === null) return fault('phone_number is not a possible phone number with country code');

  const row = {
    firstName: cell('first_name'),
    lastName: cell('last_name'),
    email: cell('email'),
    company: cell('company'),
    tags: readTags(cell('tags')),
    optedIn: readBoolean(cell('opted_in')),
  };
  const error =
    tooLong('first_name', row.firstName, CONTACT_LIMITS.firstName) ??
    tooLong('last_name', row.lastName, CONTACT_LIMITS.lastName) ??
    tooLong('company', row.company, CONTACT_LIMITS.company) ??
    tooLong('email', row.email, CONTACT_LIMITS.email) ??
    (row.email !== null && !isEmailAddress(row.email) ? 'email must be an email address' : null) ??
    wrongTags(row.tags) ??
    (row.optedIn === undefined ? 'opted_in must be true or false' : null);
  return error === null ? { line, given, phoneNumber, ...row, optedIn: row.optedIn ?? null } : fault(error);
}

export const isFault = (row: ImportedContact | RowFault): row is RowFault => 'error' in row;

const tooLong = (field: string, value: string | null, max: number): string | null =>
  value === null || value.length <= max || characters(value) <= max
    ? null
    : `${field} must be at most ${max} characters (got ${characters(value)})`;

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

const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
]);

const readBoolean = (cell: string | null): boolean | null | undefined =>
  cell === null ? null : BOOLEANS.get(cell.toLowerCase());

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
