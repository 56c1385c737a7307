import type { Database, Tx } from '../database/unit-of-work.js';
import type { ContactIdentity } from '../people/contact-ref.js';
import type { RecordId } from '../values/record-id.js';
import type { LockedConversation } from './transition.queries.js';

/** A deactivated agent who may still hold open conversations. */
export interface LeavingAgent {
  readonly userId: RecordId;
  /** The accounts of their organisation. */
  readonly accountIds: readonly RecordId[];
}

/** A look: whether any deactivated agent may hold open conversations. */
export const LEAVING_AGENT = 'SELECT true FROM users WHERE releases_threads LIMIT 1';

/** Agents per run. */
const MAX_AGENTS = 100;

/** Finds deactivated agents who may still hold open conversations. Pipeline statement: it covers all organisations. */
export function findLeavingAgents(db: Database): Promise<LeavingAgent[]> {
  return db.rows<LeavingAgent>(
    `SELECT u.id AS user_id, ARRAY(SELECT a.id FROM accounts a WHERE a.organisation_id = u.organisation_id OR a.owner_id = u.id)
              AS account_ids
     FROM users u WHERE u.releases_threads ORDER BY u.id LIMIT ${MAX_AGENTS}`,
  );
}

/**
 * Locks the next open conversations of a deactivated agent, with what identifies their contacts. None once the agent is
 * active again.
 */
export function lockHeldConversations(
  accountId: string,
  userId: RecordId,
  limit: number,
  tx: Tx,
): Promise<(LockedConversation & ContactIdentity)[]> {
  return tx.rows<LockedConversation & ContactIdentity>(
    `WITH leaving AS MATERIALIZED (
       SELECT id FROM users WHERE id = $2 AND releases_threads FOR SHARE
     ), locked AS MATERIALIZED (
       SELECT t.contact_id, t.business_phone_id, t.status, t.assigned_to, t.changed_at FROM conversations t
       WHERE t.account_id = $1 AND t.assigned_to = (SELECT id FROM leaving) AND t.status = 'open'
       ORDER BY t.contact_id, t.business_phone_id LIMIT $3
       FOR NO KEY UPDATE
     )
     SELECT locked.*, c.phone_number, c.user_id
     FROM locked JOIN contacts c ON c.account_id = $1 AND c.id = locked.contact_id`,
    [accountId, userId, limit],
  );
}

/** Notes that a deactivated agent holds no open conversation any more. */
export async function endLeaving(userId: RecordId, db: Database): Promise<void> {
  await db.affected('UPDATE users SET releases_threads = false WHERE id = $1 AND releases_threads', [userId]);
}
