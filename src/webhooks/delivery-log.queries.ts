import type { Tx } from '../database/unit-of-work.js';
import { offsetOf, type Page, type Paged } from '../values/page.js';
import type { WebhookAttempt } from './webhook-attempt.entity.js';
import type { WebhookDelivery } from './webhook-delivery.entity.js';

/** One try to deliver an event. */
export type Attempt = Readonly<Pick<WebhookAttempt, 'at' | 'statusCode' | 'durationMs' | 'error' | 'response'>>;

/** One event on its way to one endpoint, with what was tried. */
export interface Delivery extends Readonly<Pick<WebhookDelivery, 'id' | 'kind' | 'eventId' | 'status'>> {
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
}

/** One page of an endpoint's deliveries, newest first, with all attempts of those on the page. */
export async function findDeliveries(
  accountId: string,
  endpointId: string,
  page: Page,
  tx: Tx,
): Promise<Paged<Delivery>> {
  const counted = await tx.row<{ total: number }>(
    'SELECT count(*)::int AS total FROM webhook_deliveries WHERE account_id = $1 AND endpoint_id = $2',
    [accountId, endpointId],
  );
  const deliveries = await tx.rows<Omit<Delivery, 'attempts'>>(
    `SELECT id, kind, event_id, status, next_attempt_at, created_at
     FROM webhook_deliveries
     WHERE account_id = $1 AND endpoint_id = $2
     ORDER BY id DESC LIMIT $3 OFFSET $4`,
    [accountId, endpointId, page.limit, offsetOf(page)],
  );
  const attempts = await findAttempts(
    accountId,
    deliveries.map(({ id }) => id),
    tx,
  );
  return {
    total: counted?.total ?? 0,
    rows: deliveries.map((delivery) => ({ ...delivery, attempts: attempts.get(delivery.id) ?? [] })),
  };
}

/** One delivery of an endpoint with all its attempts, or null. */
export async function findDelivery(
  accountId: string,
  endpointId: string,
  deliveryId: string,
  tx: Tx,
): Promise<Delivery | null> {
  const delivery = await tx.row<Omit<Delivery, 'attempts'>>(
    `SELECT id, kind, event_id, status, next_attempt_at, created_at
     FROM webhook_deliveries
     WHERE account_id = $1 AND endpoint_id = $2 AND id = $3`,
    [accountId, endpointId, deliveryId],
  );
  if (delivery === null) return null;
  const attempts = await findAttempts(accountId, [deliveryId], tx);
  return { ...delivery, attempts: attempts.get(deliveryId) ?? [] };
}

/** @param deliveryIds newest first */
async function findAttempts(
  accountId: string,
  deliveryIds: readonly string[],
  tx: Tx,
): Promise<Map<string, Attempt[]>> {
  const byDelivery = new Map<string, Attempt[]>(deliveryIds.map((id) => [id, []]));
  if (deliveryIds.length === 0) return byDelivery;
  const attempts = await tx.rows<Attempt & { readonly deliveryId: string }>(
    `SELECT delivery_id, at, status_code, duration_ms, error, response
     FROM webhook_attempts
     WHERE account_id = $1 AND delivery_id = ANY ($2::uuid[]) AND delivery_id >= $3 AND delivery_id <= $4
     ORDER BY at`,
    [accountId, deliveryIds, deliveryIds.at(-1), deliveryIds[0]],
  );
  for (const attempt of attempts) byDelivery.get(attempt.deliveryId)?.push(attempt);
  return byDelivery;
}
