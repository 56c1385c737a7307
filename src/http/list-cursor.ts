import { createHash } from 'node:crypto';
import { badRequest } from '../errors/domain-error.js';
import type { Cursor, Position } from '../values/page.js';

/** Between the parts of a position. Times, ids and numbers do not contain it. */
const SEPARATOR = '.';
/** Characters of the digest that ties a cursor to its list; enough to notice slips. Forged cursors gain nothing. */
const DIGEST_LENGTH = 12;

/** The list that a cursor belongs to. */
export interface WalkedList {
  readonly accountId: string;
  /** The path of the request, without its query. */
  readonly path: string;
  /** The other query parameters that choose rows, in a fixed order. */
  readonly filters: readonly (readonly [string, unknown])[];
}

/** The cursor of a request, which reads and writes the opaque text on the wire. */
export class ListCursor implements Cursor {
  private constructor(
    readonly after: Position | null,
    private readonly list: WalkedList,
  ) {}

  /**
   * @param text empty before the first page
   * @param name the query parameter that has it
   * @throws DomainError `bad_request` unless this list returned it
   */
  static read(text: unknown, list: WalkedList, name = 'cursor'): ListCursor {
    if (text === '') return new ListCursor(null, list);
    if (typeof text !== 'string') throw badRequest(`${name} must be given once`);
    const [digest, ...after] = Buffer.from(text, 'base64url').toString('latin1').split(SEPARATOR);
    if (digest !== digestOf(list, after)) {
      throw badRequest(`${name} belongs to another list, account or filter; begin again with an empty ${name}`);
    }
    return new ListCursor(after, list);
  }

  /** The cursor of a place in the list as text. */
  static at(position: Position, list: WalkedList): string {
    return new ListCursor(null, list).next(position) ?? '';
  }

  /** The cursor of the next page as text; null after the last. */
  next(position: Position | null): string | null {
    if (position === null) return null;
    return Buffer.from([digestOf(this.list, position), ...position].join(SEPARATOR), 'latin1').toString('base64url');
  }
}

const digestOf = (list: WalkedList, position: Position): string =>
  createHash('sha256')
    .update(JSON.stringify([list.accountId, list.path, list.filters, position]))
    .digest('base64url')
    .slice(0, DIGEST_LENGTH);
