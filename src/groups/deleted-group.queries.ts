import type { Tx } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';

/** Groups that are worked on in one run. */
const MAX_GROUPS = 100;

/** A group that was deleted. */
export interface DeletedGroup {
  readonly accountId: RecordId;
  readonly groupId: RecordId;
}

/** Deleted groups of which something is left. A pipeline statement: it serves all accounts. */
export function findDeletedGroups(tx: Tx): Promise<DeletedGroup[]> {
  return tx.rows<DeletedGroup>(
    `SELECT account_id, id AS group_id FROM contact_groups
     WHERE deleted_at IS NOT NULL ORDER BY account_id, id LIMIT ${MAX_GROUPS}`,
  );
}

/** Takes up to `limit` members out of a deleted group; how many. Nobody can join it any more. */
export function dropMembers({ accountId, groupId }: DeletedGroup, limit: number, tx: Tx): Promise<number> {
  return tx.affected(
    `DELETE FROM group_members
     WHERE account_id = $1 AND group_id = $2 AND contact_id = ANY (ARRAY(
       SELECT contact_id FROM group_members WHERE account_id = $1 AND group_id = $2
       ORDER BY contact_id LIMIT $3 FOR UPDATE SKIP LOCKED))`,
    [accountId, groupId, limit],
  );
}

/** Removes a deleted group that nobody is in any more. */
export async function removeGroup({ accountId, groupId }: DeletedGroup, tx: Tx): Promise<void> {
  await tx.affected(
    `DELETE FROM contact_groups g
     WHERE g.account_id = $1 AND g.id = $2 AND g.deleted_at IS NOT NULL
       AND NOT EXISTS (SELECT FROM group_members m WHERE m.account_id = g.account_id AND m.group_id = g.id)`,
    [accountId, groupId],
  );
}
