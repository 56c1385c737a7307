import type { Tx } from '../../database/unit-of-work.js';
import { offsetOf, type Page, type Paged } from '../../values/page.js';
import type { WebhookAttempt } from '../webhook-attempt.entity.js';
import type { WebhookDelivery } from '../webhook-delivery.entity.js';

/** One attempt to deliver an event. */
export type Attempt = Readonly<Pick<WebhookAttempt, 'at' | 'statusCode' | 'durationMs' | 'error' | 'response'>>;

/** The delivery of one event to one endpoint, with its attempts. */
export interface Delivery extends Readonly<Pick<WebhookDelivery, 'id' | 'kind' | 'eventId' | 'status'>> {
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
}

/** One page of an endpoint's deliveries, newest first, with all their attempts. */
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

/**
 * The attempts of deliveries. Responses to events about an erased person are hidden, since many receivers echo the
 * event.
 *
 * @param deliveryIds newest first
 */
async function findAttempts(
  accountId: string,
  deliveryIds: readonly string[],
  tx: Tx,
): Promise<Map<string, Attempt[]>> {
  const byDelivery = new Map<string, Attempt[]>(deliveryIds.map((id) => [id, []]));
  if (deliveryIds.length === 0) return byDelivery;
  const attempts = await tx.rows<Attempt & { readonly deliveryId: string }>(
    `SELECT a.delivery_id, a.at, a.status_code, a.duration_ms, a.error,
            CASE WHEN NOT EXISTS (
              SELECT FROM webhook_deliveries d
              JOIN events e ON e.account_id = d.account_id AND e.id = d.event_id
              JOIN erased_contacts x ON x.account_id = e.account_id AND x.contact_id = e.contact_id
              WHERE d.account_id = a.account_id AND d.id = a.delivery_id
            ) THEN a.response END AS response
     FROM webhook_attempts a
     WHERE a.account_id = $1 AND a.delivery_id = ANY ($2::uuid[]) AND a.delivery_id >= $3 AND a.delivery_id <= $4
     ORDER BY a.at`,
    [accountId, deliveryIds, deliveryIds.at(-1), deliveryIds[0]],
  );
  for (const attempt of attempts) byDelivery.get(attempt.deliveryId)?.push(attempt);
  return byDelivery;
}
