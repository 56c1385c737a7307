import { lowestIdAt } from '../../database/schema/partitions.js';
import type { Tx } from '../../database/unit-of-work.js';
import { LoggedEvent } from '../../outbox/logged-event.entity.js';
import { HOUR } from '../../values/clock.js';
import { type DeliveryKind, WebhookDelivery } from '../webhook-delivery.entity.js';

/** An event that is sent to one endpoint regardless of subscriptions. */
export interface DirectEvent {
  readonly id: string;
  readonly kind: DeliveryKind;
  readonly occurredAt: Date;
  readonly body: string;
}

/** Logs an event and creates a delivery of it to a single endpoint. */
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

/** A delivery of the endpoint, locked so that no attempt of it is claimed or recorded meanwhile. */
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

/** Whether the event log still has an event. */
export function eventExists(accountId: string, eventId: string, tx: Tx): Promise<boolean> {
  return tx.manager.existsBy(LoggedEvent, { accountId, id: eventId });
}

/** Makes a finished delivery pending again, with a full set of retries. */
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
