import type { Tx } from '../../database/unit-of-work.js';

/** An endpoint with due deliveries that no process holds. */
export interface WaitingEndpoint {
  readonly accountId: string;
  readonly endpointId: string;
  /** The id of the longest overdue delivery. Other due deliveries may have lower ids. */
  readonly since: string;
}

/**
 * Finds all active endpoints with a due delivery that no process holds. A pipeline statement over all accounts.
 *
 * The recursive query skips from endpoint to endpoint along the index of pending deliveries. So its cost is one index
 * lookup per day's partition and endpoint with pending deliveries, however many deliveries those are. Do not add a
 * range of ids: the planner would then read whole partitions instead of skipping.
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
     SELECT w.account_id, w.endpoint_id, due.id AS since
     FROM waiting w
     JOIN webhook_endpoints e ON e.account_id = w.account_id AND e.id = w.endpoint_id
     CROSS JOIN LATERAL (
       SELECT id FROM webhook_deliveries d
       WHERE d.account_id = w.account_id AND d.endpoint_id = w.endpoint_id AND d.status = 'pending'
         AND d.next_attempt_at <= now() AND (d.lease_until IS NULL OR d.lease_until <= now())
       ORDER BY d.next_attempt_at LIMIT 1) due
     WHERE e.status = 'active' AND e.deleted_at IS NULL`,
  );
}
