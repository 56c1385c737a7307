import { violatedUniqueConstraint } from '../database/sql/constraint-violation.js';
import { NEWEST_FIRST } from '../database/sql/list-order.js';
import { type Counted, pagedRows } from '../database/sql/page-sql.js';
import type { Database, Tx } from '../database/unit-of-work.js';
import type { Page, Paged } from '../values/page.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { savedReplyNameTaken } from './saved-replies.errors.js';
import { SavedReply } from './saved-reply.entity.js';

export type SavedReplyRow = Readonly<Omit<SavedReply, 'accountId'>>;

/** A saved reply as a caller creates it. */
export interface NewSavedReply {
  readonly name: string;
  readonly text: string;
}

/** The fields a caller may change; undefined fields stay as they are. */
export type SavedReplyChanges = { readonly [Field in keyof NewSavedReply]: NewSavedReply[Field] | undefined };

const COLUMNS = 'r.id, r.name, r.text, r.created_at, r.updated_at';
const NAME_KEY = 'saved_replies_name_key';
/** Columns that a PATCH may set, in a fixed order so that similar requests share one prepared statement. */
const CHANGEABLE = ['name', 'text'] as const;

/** Returns null when the reply is unknown or in another account. */
export const findSavedReply = (accountId: string, id: RecordId, db: Database): Promise<SavedReplyRow | null> =>
  db.row<SavedReplyRow>(`SELECT ${COLUMNS} FROM saved_replies r WHERE r.account_id = $1 AND r.id = $2`, [
    accountId,
    id,
  ]);

/**
 * Returns one page of saved replies, newest first, with the total. `search` finds parts of names and texts; case, accents
 * and the number of blanks make no difference, and an empty one finds all. An account has a limited number, so all are
 * looked through.
 */
export async function listSavedReplies(
  accountId: string,
  search: string,
  page: Page,
  db: Database,
): Promise<Paged<SavedReplyRow>> {
  const rows = await db.rows<Counted<SavedReplyRow>>(
    `WITH matched AS MATERIALIZED (
       SELECT id, created_at FROM saved_replies
       WHERE account_id = $1 AND search_text(name || ' ' || text) LIKE (SELECT search_pattern($4))
     ), counted AS (
       SELECT count(*)::integer AS found FROM matched
     ), page AS MATERIALIZED (
       SELECT id, created_at FROM matched WHERE true ${NEWEST_FIRST.pageOf(page, '$2', '$3')}
     )
     SELECT counted.found, ${COLUMNS}, ${NEWEST_FIRST.position('r')}
     FROM counted
     LEFT JOIN saved_replies r ON r.account_id = $1 AND r.id = ANY (ARRAY(SELECT id FROM page))
     ${NEWEST_FIRST.by('r')}`,
    [accountId, ...NEWEST_FIRST.parameters(page), search],
  );
  return pagedRows(rows, 'id', page);
}

/** Counts the saved replies of an account, and lets nobody else add one until the transaction ends. */
export async function countForAddition(accountId: string, tx: Tx): Promise<number> {
  await tx.rows('SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
  return tx.manager.countBy(SavedReply, { accountId });
}

/** Inserts a saved reply. @throws DomainError `conflict` when one with this name exists */
export async function insertSavedReply(accountId: string, reply: NewSavedReply, tx: Tx): Promise<RecordId> {
  const id = newRecordId();
  await mapTakenName(reply.name, () => tx.manager.insert(SavedReply, { accountId, id, ...reply }));
  return id;
}

/**
 * Changes a saved reply.
 *
 * @returns null when it is unknown or in another account
 * @throws DomainError `conflict` when another one has the new name
 */
export function changeSavedReply(
  accountId: string,
  id: RecordId,
  changes: SavedReplyChanges,
  db: Database,
): Promise<SavedReplyRow | null> {
  const set = CHANGEABLE.filter((field) => changes[field] !== undefined);
  if (set.length === 0) return findSavedReply(accountId, id, db);
  return mapTakenName(changes.name, () =>
    db.row<SavedReplyRow>(
      `UPDATE saved_replies r
       SET ${set.map((column, index) => `${column} = $${index + 3}`).join(', ')}, updated_at = now()
       WHERE r.account_id = $1 AND r.id = $2
       RETURNING ${COLUMNS}`,
      [accountId, id, ...set.map((field) => changes[field])],
    ),
  );
}

/** @returns whether there was such a reply */
export async function deleteSavedReply(accountId: string, id: RecordId, db: Database): Promise<boolean> {
  const { affected } = await db.manager.delete(SavedReply, { accountId, id });
  return affected === 1;
}

async function mapTakenName<T>(name: string | undefined, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (name !== undefined && violatedUniqueConstraint(error) === NAME_KEY) throw savedReplyNameTaken(name);
    throw error;
  }
}
