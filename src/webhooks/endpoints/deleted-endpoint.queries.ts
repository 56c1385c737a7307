import type { Database, Tx } from '../../database/unit-of-work.js';
import type { EndpointKey } from '../../outbox/event-fanout.js';

/** Endpoints per run. */
const MAX_ENDPOINTS = 100;

/** A look: whether any endpoint is deleted. */
export const DELETED_ENDPOINT =
  'SELECT true FROM webhook_endpoints WHERE deleted_at IS NOT NULL ORDER BY account_id, id LIMIT 1';

/** Deleted endpoints that may still have data. A pipeline statement over all accounts. */
export function findDeletedEndpoints(db: Database): Promise<EndpointKey[]> {
  return db.rows<EndpointKey>(
    `SELECT account_id, id AS endpoint_id FROM webhook_endpoints
     WHERE deleted_at IS NOT NULL ORDER BY account_id, id LIMIT ${MAX_ENDPOINTS}`,
  );
}

/**
 * Deletes up to `limit` deliveries of an endpoint with their attempts. Deliveries under a lease stay until it expires.
 *
 * @returns the number of deleted deliveries
 */
export async function deleteDeliveries({ accountId, endpointId }: EndpointKey, limit: number, tx: Tx): Promise<number> {
  const rows = await tx.rows<{ readonly id: string }>(
    `DELETE FROM webhook_deliveries
     WHERE account_id = $1 AND id = ANY (ARRAY(
       SELECT id FROM webhook_deliveries
       WHERE account_id = $1 AND endpoint_id = $2 AND (lease_until IS NULL OR lease_until <= now())
       ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED))
     RETURNING id`,
    [accountId, endpointId, limit],
  );
  const ids = rows.map(({ id }) => id).sort();
  if (ids.length > 0) {
    await tx.affected(
      `DELETE FROM webhook_attempts
       WHERE account_id = $1 AND delivery_id = ANY ($2::uuid[]) AND delivery_id >= $3 AND delivery_id <= $4`,
      [accountId, ids, ids[0], ids.at(-1)],
    );
  }
  return ids.length;
}

/**
 * Removes a deleted endpoint that has no deliveries left. It is kept for at least a minute, because a fan-out that was
 * running when it was deleted may still create deliveries.
 */
export async function removeTombstone({ accountId, endpointId }: EndpointKey, db: Database): Promise<void> {
  await db.affected(
    `DELETE FROM webhook_endpoints w
     WHERE w.account_id = $1 AND w.id = $2 AND w.deleted_at < now() - interval '1 minute'
       AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.account_id = w.account_id AND d.endpoint_id = w.id)`,
    [accountId, endpointId],
  );
}
