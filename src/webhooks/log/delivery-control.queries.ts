import { lowestIdAt } from '../../database/schema/partitions.js';
import type { Tx } from '../../database/unit-of-work.js';
import { LoggedEvent } from '../../outbox/logged-event.entity.js';
import { HOUR } from '../../values/clock.js';
import { type DeliveryKind, WebhookDelivery } from '../webhook-delivery.entity.js';

/** The event of a delivery that nobody subscribed to. */
export interface DirectEvent {
  readonly id: string;
  readonly kind: DeliveryKind;
  readonly occurredAt: Date;
  readonly body: string;
}

/** Logs an event and makes its delivery to one endpoint alone. */
export async function insertDirectDelivery(
  accountId: string,
  {
    endpointId,
    deliveryId,
    retries,
  }: { readonly endpointId: string; readonly deliveryId: string; readonly retries: number },
  event: DirectEvent,
  tx: Tx,
): Promise<void> {
  await tx.manager.insert(LoggedEvent, { ...event, accountId });
  await tx.manager.insert(WebhookDelivery, {
    accountId,
    id: deliveryId,
    endpointId,
    eventId: event.id,
    kind: event.kind,
    retriesLeft: retries,
  });
}

/** A delivery of the endpoint, locked against attempts that are about to be claimed or recorded. */
export function lockDelivery(
  accountId: string,
  endpointId: string,
  deliveryId: string,
  tx: Tx,
): Promise<WebhookDelivery | null> {
  return tx.manager.findOne(WebhookDelivery, {
    where: { accountId, id: deliveryId, endpointId },
    lock: { mode: 'for_no_key_update' },
  });
}

/** Whether the log still keeps an event. */
export function eventExists(accountId: string, eventId: string, tx: Tx): Promise<boolean> {
  return tx.manager.existsBy(LoggedEvent, { accountId, id: eventId });
}

/** Has a delivery that is over made once more, with all its retries and their waits. */
export async function requeueDelivery(
  accountId: string,
  deliveryId: string,
  retries: number,
  at: Date,
  tx: Tx,
): Promise<void> {
  await tx.manager.update(
    WebhookDelivery,
    { accountId, id: deliveryId },
    { status: 'pending', attemptCount: 0, retriesLeft: retries, nextAttemptAt: at, leaseUntil: null },
  );
}

/** How an endpoint has done of late. */
export interface RecentDeliveries {
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
  /** When the delivery that is longest due was to be made, and its event's; null when nothing is pending. */
  readonly waitsSince: Date | null;
}

/** Deliveries that are counted at most. */
const MAX_COUNTED = 1000;

/**
 * Counts the deliveries made in the hour before `at`, the newest thousand at most, so that it costs the same whatever stands in
 * the table.
 */
export async function recentDeliveries(
  accountId: string,
  endpointId: string,
  at: Date,
  tx: Tx,
): Promise<RecentDeliveries> {
  const row = await tx.row<RecentDeliveries>(
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
