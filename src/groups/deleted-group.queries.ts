import type { Database } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';

/** Groups processed in one run. */
const MAX_GROUPS = 100;

export interface DeletedGroup {
  readonly accountId: RecordId;
  readonly groupId: RecordId;
}

/** A look: whether any group is deleted. */
export const DELETED_GROUP =
  'SELECT true FROM contact_groups WHERE deleted_at IS NOT NULL ORDER BY account_id, id LIMIT 1';

/** Finds deleted groups that still have a row. Pipeline statement: it covers all accounts. */
export function findDeletedGroups(db: Database): Promise<DeletedGroup[]> {
  return db.rows<DeletedGroup>(
    `SELECT account_id, id AS group_id FROM contact_groups
     WHERE deleted_at IS NOT NULL ORDER BY account_id, id LIMIT ${MAX_GROUPS}`,
  );
}

/** Removes up to `limit` members from a deleted group, which no one can join any more. @returns how many */
export function dropMembers({ accountId, groupId }: DeletedGroup, limit: number, db: Database): Promise<number> {
  return db.affected(
    `DELETE FROM group_members
     WHERE account_id = $1 AND group_id = $2 AND contact_id = ANY (ARRAY(
       SELECT contact_id FROM group_members WHERE account_id = $1 AND group_id = $2
       ORDER BY contact_id LIMIT $3 FOR UPDATE SKIP LOCKED))`,
    [accountId, groupId, limit],
  );
}

/** Removes a deleted group once it has no members. */
export async function removeGroup({ accountId, groupId }: DeletedGroup, db: Database): Promise<void> {
  await db.affected(
    `DELETE FROM contact_groups g
     WHERE g.account_id = $1 AND g.id = $2 AND g.deleted_at IS NOT NULL
       AND NOT EXISTS (SELECT FROM group_members m WHERE m.account_id = g.account_id AND m.group_id = g.id)`,
    [accountId, groupId],
  );
}
