import { lowestIdAt } from '../../database/schema/partitions.js';
import type { Database, Tx } from '../../database/unit-of-work.js';
import { HOUR } from '../../values/clock.js';
import { WebhookReplay } from '../webhook-replay.entity.js';
import { WebhookTestEvent } from '../webhooks.events.js';

/** The latest replay to an endpoint, or null. */
export function findReplay(accountId: string, endpointId: string, db: Database): Promise<WebhookReplay | null> {
  return db.manager.findOneBy(WebhookReplay, { accountId, endpointId });
}

/** The kinds of an endpoint's pending deliveries, all of which it reads. Leaves out test events, which carry nothing. */
export async function findPendingKinds(accountId: string, endpointId: string, tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ readonly kind: string }>(
    `SELECT DISTINCT kind FROM webhook_deliveries
     WHERE account_id = $1 AND endpoint_id = $2 AND status = 'pending' AND kind <> '${WebhookTestEvent.kind}'`,
    [accountId, endpointId],
  );
  return rows.map(({ kind }) => kind);
}

/** Recent delivery counts of an endpoint. */
export interface RecentDeliveries {
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
  /** The earliest due time of a pending delivery, which may be in the future; null when none is pending. */
  readonly waitsSince: Date | null;
}

/** Limits the deliveries that are counted. */
const MAX_COUNTED = 1000;

/**
 * Counts the deliveries created in the hour before `at`, but only the newest {@link MAX_COUNTED}, so that the cost does
 * not grow with the table.
 */
export async function recentDeliveries(
  accountId: string,
  endpointId: string,
  at: Date,
  db: Database,
): Promise<RecentDeliveries> {
  const row = await db.row<RecentDeliveries>(
    `SELECT count(*) FILTER (WHERE r.status = 'delivered')::int AS delivered,
            count(*) FILTER (WHERE r.status = 'failed')::int AS failed,
            count(*) FILTER (WHERE r.status = 'pending')::int AS pending,
            (SELECT d.next_attempt_at FROM webhook_deliveries d
             WHERE d.account_id = $1 AND d.endpoint_id = $2 AND d.status = 'pending'
             ORDER BY d.next_attempt_at LIMIT 1) AS waits_since
     FROM (SELECT status FROM webhook_deliveries
           WHERE account_id = $1 AND endpoint_id = $2 AND id >= $3
           ORDER BY id DESC LIMIT $4) r`,
    [accountId, endpointId, lowestIdAt(new Date(at.getTime() - HOUR)), MAX_COUNTED],
  );
  return row ?? { delivered: 0, failed: 0, pending: 0, waitsSince: null };
}
