import type { Tx } from '../database/unit-of-work.js';

/** An endpoint that has due deliveries which nobody holds. */
export interface WaitingEndpoint {
  readonly accountId: string;
  readonly endpointId: string;
  /** The id of the one that is longest due: it is old, but others may be older. */
  readonly since: string;
  /** Its deliveries are to be ended instead of made. */
  readonly isDeleted: boolean;
}

/**
 * Every active endpoint that has a due delivery which nobody holds, and every deleted one that has something left. A
 * pipeline statement: it looks at all accounts. It hops from endpoint to endpoint along the indexes of pending
 * deliveries, so that it costs a look per day and endpoint with something pending, however much that is. No range of ids
 * belongs here: it would tempt the planner to read the days instead of hopping.
 */
export function findWaitingEndpoints(tx: Tx): Promise<WaitingEndpoint[]> {
  return tx.rows<WaitingEndpoint>(
    `WITH RECURSIVE waiting AS (
       (SELECT account_id, endpoint_id FROM webhook_deliveries
        WHERE status = 'pending' ORDER BY account_id, endpoint_id, next_attempt_at LIMIT 1)
       UNION ALL
       SELECT next.account_id, next.endpoint_id
       FROM waiting w, LATERAL (
         SELECT account_id, endpoint_id FROM webhook_deliveries d
         WHERE d.status = 'pending' AND (d.account_id, d.endpoint_id) > (w.account_id, w.endpoint_id)
         ORDER BY account_id, endpoint_id, next_attempt_at LIMIT 1) next
     )
     SELECT w.account_id, w.endpoint_id, due.id AS since, e.deleted_at IS NOT NULL AS is_deleted
     FROM waiting w
     JOIN webhook_endpoints e ON e.account_id = w.account_id AND e.id = w.endpoint_id
     CROSS JOIN LATERAL (
       SELECT id FROM webhook_deliveries d
       WHERE d.account_id = w.account_id AND d.endpoint_id = w.endpoint_id AND d.status = 'pending'
         AND d.next_attempt_at <= now() AND (d.lease_until IS NULL OR d.lease_until <= now())
       ORDER BY d.next_attempt_at LIMIT 1) due
     WHERE e.status = 'active' OR e.deleted_at IS NOT NULL`,
  );
}

/**
 * Ends up to `limit` pending deliveries of a deleted endpoint, from the id `since` on. Those under way are left alone
 * until their lease ends.
 *
 * @returns how many it ended
 */
export function endDeliveries(
  { accountId, endpointId, since }: WaitingEndpoint,
  limit: number,
  tx: Tx,
): Promise<number> {
  return tx.affected(
    `UPDATE webhook_deliveries
     SET status = 'failed', next_attempt_at = NULL, lease_until = NULL
     WHERE account_id = $1 AND id >= $3 AND id = ANY (ARRAY(
       SELECT id FROM webhook_deliveries
       WHERE account_id = $1 AND endpoint_id = $2 AND id >= $3
         AND status = 'pending' AND (lease_until IS NULL OR lease_until <= now())
       ORDER BY next_attempt_at LIMIT $4 FOR UPDATE SKIP LOCKED))`,
    [accountId, endpointId, since, limit],
  );
}
