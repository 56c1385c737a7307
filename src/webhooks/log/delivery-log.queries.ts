import { lowestIdAt } from '../../database/schema/partitions.js';
import { NEWEST_ID_FIRST } from '../../database/sql/list-order.js';
import { cappedTotal, countUpToMax, cutRows, type Positioned } from '../../database/sql/page-sql.js';
import type { Database } from '../../database/unit-of-work.js';
import type { Page, Paged } from '../../values/page.js';
import type { WebhookAttempt } from '../webhook-attempt.entity.js';
import type { DeliveryStatus, WebhookDelivery } from '../webhook-delivery.entity.js';

/** One attempt to deliver an event. */
export type LoggedAttempt = Readonly<
  Pick<WebhookAttempt, 'at' | 'statusCode' | 'durationMs' | 'error' | 'response' | 'note'>
>;

/** The delivery of one event to one endpoint, with its attempts. */
export interface Delivery extends Readonly<Pick<WebhookDelivery, 'id' | 'kind' | 'eventId' | 'status'>> {
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  /** Oldest first. */
  readonly attempts: readonly LoggedAttempt[];
}

/** Which deliveries to list. Absent filters match everything. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus;
  readonly kind?: string;
  /** Inclusive. */
  readonly since?: Date;
  /** Exclusive. */
  readonly until?: Date;
}

/** One page of an endpoint's deliveries, newest first, with all their attempts. */
export async function findDeliveries(
  accountId: string,
  endpointId: string,
  filter: DeliveryFilter,
  page: Page,
  db: Database,
): Promise<Paged<Delivery>> {
  const { matching, parameters } = matchingDeliveries(accountId, endpointId, filter);
  const counted = await db.row<{ found: number }>(countUpToMax(matching), parameters);
  const cut = NEWEST_ID_FIRST.pageOf(page, `$${parameters.length + 1}`, `$${parameters.length + 2}`);
  const found = await db.rows<Positioned<Omit<Delivery, 'attempts'>>>(
    `SELECT id, kind, event_id, status, next_attempt_at, created_at, ${NEWEST_ID_FIRST.position()}
     ${matching} ${cut}`,
    [...parameters, ...NEWEST_ID_FIRST.parameters(page)],
  );
  const { rows: deliveries, next } = cutRows(found, page);
  const attempts = await findAttempts(
    accountId,
    deliveries.map(({ id }) => id),
    db,
  );
  return {
    ...cappedTotal(counted?.found ?? 0),
    next,
    rows: deliveries.map((delivery) => ({ ...delivery, attempts: attempts.get(delivery.id) ?? [] })),
  };
}

/** Includes only the conditions in use. The status is literal, so that its partial index serves. */
function matchingDeliveries(
  accountId: string,
  endpointId: string,
  { status, kind, since, until }: DeliveryFilter,
): { readonly matching: string; readonly parameters: unknown[] } {
  const parameters: unknown[] = [accountId, endpointId];
  const conditions = ['account_id = $1', 'endpoint_id = $2'];
  const add = (condition: (place: string) => string, value: string | undefined): void => {
    if (value !== undefined) conditions.push(condition(`$${parameters.push(value)}`));
  };
  if (status !== undefined) conditions.push(`status = '${status}'`);
  add((place) => `kind = ${place}`, kind);
  add((place) => `id >= ${place}`, since && lowestIdAt(since));
  add((place) => `id < ${place}`, until && lowestIdAt(until));
  return { matching: `FROM webhook_deliveries WHERE ${conditions.join(' AND ')}`, parameters };
}

/** One delivery of an endpoint with all its attempts, or null. */
export async function findDelivery(
  accountId: string,
  endpointId: string,
  deliveryId: string,
  db: Database,
): Promise<Delivery | null> {
  const delivery = await db.row<Omit<Delivery, 'attempts'>>(
    `SELECT id, kind, event_id, status, next_attempt_at, created_at
     FROM webhook_deliveries
     WHERE account_id = $1 AND endpoint_id = $2 AND id = $3`,
    [accountId, endpointId, deliveryId],
  );
  if (delivery === null) return null;
  const attempts = await findAttempts(accountId, [deliveryId], db);
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
  db: Database,
): Promise<Map<string, LoggedAttempt[]>> {
  const byDelivery = new Map<string, LoggedAttempt[]>(deliveryIds.map((id) => [id, []]));
  if (deliveryIds.length === 0) return byDelivery;
  const attempts = await db.rows<LoggedAttempt & { readonly deliveryId: string }>(
    `SELECT a.delivery_id, a.at, a.status_code, a.duration_ms, a.error, a.note,
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
