import { MAY_SEND } from '../campaigns/campaign.queries.js';
import type { Tx } from '../database/unit-of-work.js';
import { OLDEST_DUE_DELIVERY, WAITING_ENDPOINTS } from '../webhooks/delivery/waiting-delivery.queries.js';

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
    `WITH RECURSIVE running AS MATERIALIZED (
       SELECT g.account_id, g.id, g.paused, ${MAY_SEND} AS may_send, greatest(g.started_at, g.judged_from, g.opens_at) AS since
       FROM campaigns g WHERE g.status = 'running'
     ), ${WAITING_ENDPOINTS}, deliveries AS (
       SELECT min(due.next_attempt_at) AS delivery_due_at
       FROM ${OLDEST_DUE_DELIVERY}
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
