import { isUtf8 } from 'node:buffer';
import { badRequest } from '../../errors/domain-error.js';
import { offsetOf, type Page, type Position, rowsToRead } from '../../values/page.js';

/** A kind of sort key: how SQL writes it to a position and reads it back. */
interface KeyType {
  /** Expression that makes text of a column, without loss. */
  readonly written: (column: string) => string;
  /** Expression that makes a value of that text. */
  readonly read: (text: string) => string;
  readonly isValid: (text: string) => boolean;
  /** Lower and higher than every value. */
  readonly ends: readonly [string, string];
}

const KEY_TYPES = {
  // Microseconds: JavaScript's dates would lose the last three digits, and with them rows.
  time: {
    written: (column) => `(extract(epoch FROM ${column}) * 1000000)::bigint::text`,
    read: (text) => `'epoch'::timestamptz + ${text}::bigint * interval '1 microsecond'`,
    isValid: (text) => /^\d{1,16}$/.test(text),
    ends: ['0', '9999999999999999'],
  },
  id: {
    written: (column) => `${column}::text`,
    read: (text) => `${text}::uuid`,
    isValid: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text),
    ends: ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  },
  number: {
    written: (column) => `${column}::text`,
    read: (text) => `${text}::bigint`,
    isValid: (text) => /^\d{1,18}$/.test(text),
    ends: ['-1', '9223372036854775807'],
  },
  // Of the collation "C", and never the last key. Hexadecimal, because a cursor holds neither every letter nor a dot.
  text: {
    written: (column) => `encode(convert_to(${column}, 'UTF8'), 'hex')`,
    read: (text) => `convert_from(decode(${text}, 'hex'), 'UTF8')`,
    isValid: (text) => /^(?:[0-9a-f]{2})*$/.test(text) && isStorableText(Buffer.from(text, 'hex')),
    ends: ['', 'f48fbfbf'],
  },
} as const satisfies Readonly<Record<string, KeyType>>;

/** Whether the database takes it for a text. */
const isStorableText = (bytes: Buffer): boolean => isUtf8(bytes) && !bytes.includes(0);

/**
 * The order of a list, and the SQL that cuts a page out of it: by number, or behind a place in the order that stays the
 * same whatever is inserted or deleted meanwhile. With an index in this order, every page of a walk costs the same.
 */
export class ListOrder {
  readonly columns: readonly string[];
  private readonly types: readonly KeyType[];

  /**
   * @param keys the sort columns, of which the last make the order total
   * @param direction of all columns
   */
  constructor(
    keys: Readonly<Record<string, keyof typeof KEY_TYPES>>,
    private readonly direction: 'ASC' | 'DESC' = 'DESC',
  ) {
    this.columns = Object.keys(keys);
    this.types = Object.values(keys).map((type) => KEY_TYPES[type]);
  }

  /** `ORDER BY …`; `table` qualifies the columns, `reversed` reads from the other end. */
  by(table = '', reversed = false): string {
    const descends = (this.direction === 'DESC') !== reversed;
    return `ORDER BY ${this.qualified(table)
      .map((column) => `${column}${descends ? ' DESC' : ''}`)
      .join(', ')}`;
  }

  /** The column `position` of a row, or another one. */
  position(table = '', name = 'position'): string {
    const keys = this.qualified(table).map((column, index) => this.types[index]?.written(column));
    return `ARRAY[${keys.join(', ')}] AS ${name}`;
  }

  /**
   * The end of a statement, after its conditions: the rows of the page, in order.
   *
   * @param limit place of the first of {@link parameters}, such as `$2`
   * @param start place of the second
   */
  pageOf(page: Page, limit: string, start: string, table = ''): string {
    return page.cursor === undefined
      ? `${this.by(table)} LIMIT ${limit} OFFSET ${start}`
      : `${this.behind(start, table)} ${this.by(table)} LIMIT ${limit}`;
  }

  /** The condition `AND …` that selects the rows behind the position in a parameter. */
  behind(start: string, table = ''): string {
    const keys = this.types.map((type, index) => type.read(`(${start}::text[])[${index + 1}]`));
    return `AND (${this.qualified(table).join(', ')}) ${this.direction === 'DESC' ? '<' : '>'} (${keys.join(', ')})`;
  }

  /**
   * How many rows to read, and where the page starts: rows before it, or a position.
   *
   * @throws DomainError `bad_request` for a position that this order does not have
   */
  parameters(page: Page): [number, number | Position] {
    return [rowsToRead(page), page.cursor === undefined ? offsetOf(page) : this.start(page.cursor.after)];
  }

  private start(after: Position | null): Position {
    if (after === null) return this.types.map(({ ends }) => ends[this.direction === 'DESC' ? 1 : 0]);
    const isValid = after.length === this.types.length && this.types.every((type, i) => type.isValid(after[i] ?? ''));
    if (!isValid) throw badRequest('cursor is no cursor of this list; begin again with an empty one');
    return after;
  }

  private qualified(table: string): string[] {
    return table === '' ? [...this.columns] : this.columns.map((column) => `${table}.${column}`);
  }
}

/** The order of most lists: newest first. */
export const NEWEST_FIRST = new ListOrder({ created_at: 'time', id: 'id' });

/** Newest first, of tables whose ids hold the time. */
export const NEWEST_ID_FIRST = new ListOrder({ id: 'id' });
