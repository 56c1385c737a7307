import type { Tx } from '../../database/unit-of-work.js';
import { LoggedEvent } from '../../outbox/logged-event.entity.js';
import { WebhookDelivery } from '../webhook-delivery.entity.js';

/** An event that is sent to one endpoint regardless of subscriptions. */
export interface DirectEvent {
  readonly id: string;
  readonly kind: string;
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

/** A delivery of the endpoint, locked so that it is not leased, and no attempt of it recorded, meanwhile. */
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
