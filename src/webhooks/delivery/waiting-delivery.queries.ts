import type { Database } from '../../database/unit-of-work.js';

/** An endpoint with due deliveries that no process holds. */
export interface WaitingEndpoint {
  readonly accountId: string;
  readonly endpointId: string;
  /** The id of the longest overdue delivery. Other due deliveries may have lower ids. */
  readonly since: string;
}

/**
 * The common table expression `waiting`: every endpoint with pending deliveries. It skips from endpoint to endpoint along
 * the index of pending deliveries, so its cost is one index lookup per day's partition and endpoint, however many
 * deliveries those have. Do not add a range of ids: the planner would then read whole partitions instead of skipping.
 */
export const WAITING_ENDPOINTS = `waiting AS (
       (SELECT account_id, endpoint_id FROM webhook_deliveries
        WHERE status = 'pending' ORDER BY account_id, endpoint_id, next_attempt_at LIMIT 1)
       UNION ALL
       SELECT next.account_id, next.endpoint_id
       FROM waiting w, LATERAL (
         SELECT account_id, endpoint_id FROM webhook_deliveries d
         WHERE d.status = 'pending' AND (d.account_id, d.endpoint_id) > (w.account_id, w.endpoint_id)
         ORDER BY account_id, endpoint_id, next_attempt_at LIMIT 1) next
     )`;

/** Per active endpoint of {@link WAITING_ENDPOINTS}, its delivery that has been due longest and that no process holds. */
export const OLDEST_DUE_DELIVERY = `waiting w
     JOIN webhook_endpoints e ON e.account_id = w.account_id AND e.id = w.endpoint_id
     CROSS JOIN LATERAL (
       SELECT id, next_attempt_at FROM webhook_deliveries d
       WHERE d.account_id = w.account_id AND d.endpoint_id = w.endpoint_id AND d.status = 'pending'
         AND d.next_attempt_at <= now() AND (d.lease_until IS NULL OR d.lease_until <= now())
       ORDER BY d.next_attempt_at LIMIT 1) due
     WHERE e.status = 'active' AND e.deleted_at IS NULL`;

/** A look: whether any active endpoint has a due delivery that no process holds. */
export const WAITING_DELIVERY = `SELECT true FROM (
       WITH RECURSIVE ${WAITING_ENDPOINTS} SELECT due.id FROM ${OLDEST_DUE_DELIVERY}) waiting LIMIT 1`;

/** Finds all active endpoints with a due delivery that no process holds. A pipeline statement over all accounts. */
export function findWaitingEndpoints(db: Database): Promise<WaitingEndpoint[]> {
  return db.rows<WaitingEndpoint>(
    `WITH RECURSIVE ${WAITING_ENDPOINTS}
     SELECT w.account_id, w.endpoint_id, due.id AS since
     FROM ${OLDEST_DUE_DELIVERY}`,
  );
}
