import type { Database, Tx } from '../database/unit-of-work.js';
import { DomainError } from '../errors/domain-error.js';
import type { RecordId } from '../values/record-id.js';

// A merged contact leads to the one that it was merged into, in one step: a merge redirects all that led to either.

/** The contact that an id stands for: the id itself, unless its contact was merged. */
async function survivorOf(accountId: string, id: RecordId, db: Database): Promise<RecordId> {
  const row = await db.row<{ id: RecordId }>(
    'SELECT merged_into AS id FROM contacts WHERE account_id = $1 AND id = $2 AND merged_into IS NOT NULL',
    [accountId, id],
  );
  return row?.id ?? id;
}

/** {@link survivorOf} each of several ids, as a map that has only those that were merged. */
export async function survivorsOf(
  accountId: string,
  ids: readonly RecordId[],
  tx: Tx,
): Promise<ReadonlyMap<RecordId, RecordId>> {
  const rows = await tx.rows<{ id: RecordId; mergedInto: RecordId }>(
    'SELECT id, merged_into FROM contacts WHERE account_id = $1 AND id = ANY ($2::uuid[]) AND merged_into IS NOT NULL',
    [accountId, ids],
  );
  return new Map(rows.map(({ id, mergedInto }) => [id, mergedInto]));
}

/**
 * Works on a contact, and if it is not found because it was merged, on the one that it was merged into. Costs nothing
 * while it is found.
 *
 * @param work throws DomainError `not_found` when there is no contact with the id
 */
export async function onSurvivor<T>(
  accountId: string,
  id: RecordId,
  db: Database,
  work: (id: RecordId) => Promise<T>,
): Promise<T> {
  for (let current = id; ; ) {
    try {
      return await work(current);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'not_found') throw error;
      const next = await survivorOf(accountId, current, db);
      if (next === current) throw error;
      current = next;
    }
  }
}

/** SQL: the contact that an id stands for, in the account `$1`; null when there is none. */
export const survivorOfId = (id: string): string =>
  `(SELECT coalesce(s.merged_into, s.id) FROM contacts s WHERE s.account_id = $1 AND s.id = ${id}::uuid)`;

/** SQL: the ids of a contact and of those that were merged into it, in the account `$1`. Messages may still have either. */
export const idsOfPerson = (id: string): string =>
  `ARRAY(SELECT ${id}::uuid UNION ALL SELECT p.id FROM contacts p WHERE p.account_id = $1 AND p.merged_into = ${id})`;
