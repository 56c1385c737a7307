import { MAY_SEND } from '../campaigns/campaign.queries.js';
import type { Tx } from '../database/unit-of-work.js';

/** What waits in the tables, over all accounts. */
export interface BacklogRow {
  /** Running campaigns that may send now. */
  readonly sending: number;
  /** Running campaigns outside their send window. */
  readonly closed: number;
  readonly paused: number;
  /** When the recipient was due that has waited longest among those next in line of each campaign; null: none is due. */
  readonly recipientDueAt: Date | null;
  /** The id of the oldest event that is not yet fanned out. */
  readonly oldestEventId: string | null;
  /** When the longest overdue delivery was due that no process holds. */
  readonly deliveryDueAt: Date | null;
  /** The lease that expires, or expired, first. */
  readonly leaseUntil: Date | null;
}

/**
 * What waits in the tables. Pipeline statement, all tenants.
 *
 * Every part is a few index lookups: per running campaign, and per day's partition and endpoint with pending deliveries
 * (a recursive query skips from endpoint to endpoint). So of each campaign, only the first due recipient in line is
 * looked at: the claims follow the same order, and finding the oldest would read them all. A recipient without a time
 * of its own has been due since its campaign last started, resumed or opened.
 */
export function findBacklog(tx: Tx): Promise<BacklogRow | null> {
  return tx.row<BacklogRow>(
    `WITH RECURSIVE backlog_endpoints AS (
       (SELECT account_id, endpoint_id FROM webhook_deliveries
        WHERE status = 'pending' ORDER BY account_id, endpoint_id, next_attempt_at LIMIT 1)
       UNION ALL
       SELECT next.account_id, next.endpoint_id
       FROM backlog_endpoints b, LATERAL (
         SELECT account_id, endpoint_id FROM webhook_deliveries d
         WHERE d.status = 'pending' AND (d.account_id, d.endpoint_id) > (b.account_id, b.endpoint_id)
         ORDER BY account_id, endpoint_id, next_attempt_at LIMIT 1) next
     ), deliveries AS (
       SELECT min(due.next_attempt_at) AS delivery_due_at
       FROM backlog_endpoints b
       JOIN webhook_endpoints e ON e.account_id = b.account_id AND e.id = b.endpoint_id
       CROSS JOIN LATERAL (
         SELECT next_attempt_at FROM webhook_deliveries d
         WHERE d.account_id = b.account_id AND d.endpoint_id = b.endpoint_id AND d.status = 'pending'
           AND d.next_attempt_at <= now() AND (d.lease_until IS NULL OR d.lease_until <= now())
         ORDER BY d.next_attempt_at LIMIT 1) due
       WHERE e.status = 'active' AND e.deleted_at IS NULL
     ), running AS MATERIALIZED (
       SELECT g.account_id, g.id, g.paused, ${MAY_SEND} AS may_send, greatest(g.started_at, g.judged_from, g.opens_at) AS since
       FROM campaigns g WHERE g.status = 'running'
     ), campaign_counts AS (
       SELECT count(*) FILTER (WHERE may_send)::integer AS sending,
              count(*) FILTER (WHERE NOT may_send AND NOT paused)::integer AS closed,
              count(*) FILTER (WHERE paused)::integer AS paused
       FROM running
     ), recipients AS (
       SELECT min(coalesce(due.due_at, r.since)) AS recipient_due_at
       FROM running r CROSS JOIN LATERAL (
         SELECT p.due_at FROM campaign_recipients p
         WHERE p.account_id = r.account_id AND p.campaign_id = r.id AND p.state = 'pending'
           AND (p.due_at IS NULL OR p.due_at <= now())
         ORDER BY p.position LIMIT 1) due
       WHERE r.may_send
     )
     SELECT c.*, recipient_due_at, delivery_due_at,
            (SELECT event_id FROM outbox ORDER BY event_id LIMIT 1) AS oldest_event_id,
            (SELECT lease_until FROM sends_in_flight WHERE lease_until IS NOT NULL
             ORDER BY lease_until LIMIT 1) AS lease_until
     FROM campaign_counts c, recipients, deliveries`,
  );
}
