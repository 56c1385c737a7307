import type { Tx } from '../../database/unit-of-work.js';

/** An endpoint that has due deliveries which nobody holds. */
export interface WaitingEndpoint {
  readonly accountId: string;
  readonly endpointId: string;
  /** The id of the one that is longest due: it is old, but others may be older. */
  readonly since: string;
}

/**
 * Every active endpoint that has a due delivery which nobody holds. A pipeline statement: it looks at all accounts. It hops from endpoint to endpoint along the indexes of pending
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
