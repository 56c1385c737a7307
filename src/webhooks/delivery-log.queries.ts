import type { Tx } from '../database/unit-of-work.js';
import type { EventKind } from '../outbox/event.js';
import { offsetOf, type Page, type Paged } from '../values/page.js';

/** One event on its way to one endpoint (D64). */
export interface Delivery {
  readonly id: string;
  readonly kind: EventKind;
  readonly eventId: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
}

/** One try to deliver it. */
export interface Attempt {
  readonly at: Date;
  /** Null when there was no answer. */
  readonly statusCode: number | null;
  readonly durationMs: number;
  /** Why it was no success, in plain words; null for a success. */
  readonly error: string | null;
  /** The first 1 KiB of the answer; null when there was none. */
  readonly response: string | null;
}

interface DeliveryRow {
  readonly id: string;
  readonly kind: EventKind;
  readonly event_id: string;
  readonly status: Delivery['status'];
  readonly next_attempt_at: Date | null;
  readonly created_at: Date;
}

interface AttemptRow {
  readonly delivery_id: string;
  readonly at: Date;
  readonly status_code: number | null;
  readonly duration_ms: number;
  readonly error: string | null;
  readonly response: string | null;
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
  const rows = await tx.rows<DeliveryRow>(
    `SELECT id, kind, event_id, status, next_attempt_at, created_at
     FROM webhook_deliveries
     WHERE account_id = $1 AND endpoint_id = $2
     ORDER BY id DESC LIMIT $3 OFFSET $4`,
    [accountId, endpointId, page.limit, offsetOf(page)],
  );
  const attempts = await findAttempts(accountId, rows, tx);
  return {
    total: counted?.total ?? 0,
    rows: rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      eventId: row.event_id,
      status: row.status,
      nextAttemptAt: row.next_attempt_at,
      createdAt: row.created_at,
      attempts: attempts.get(row.id) ?? [],
    })),
  };
}

async function findAttempts(
  accountId: string,
  deliveries: readonly DeliveryRow[],
  tx: Tx,
): Promise<Map<string, Attempt[]>> {
  const oldest = deliveries.at(-1);
  if (oldest === undefined) return new Map();
  // No attempt is older than its delivery: days before the oldest of them are not looked at. The clocks that stamped
  // the two may differ a little.
  const rows = await tx.rows<AttemptRow>(
    `SELECT delivery_id, at, status_code, duration_ms, error, response
     FROM webhook_attempts
     WHERE account_id = $1 AND delivery_id = ANY ($2::uuid[]) AND at >= $3::timestamptz - interval '1 day'
     ORDER BY at`,
    [accountId, deliveries.map(({ id }) => id), oldest.created_at],
  );
  const byDelivery = new Map<string, Attempt[]>();
  for (const row of rows) {
    const attempts = byDelivery.get(row.delivery_id) ?? [];
    attempts.push({
      at: row.at,
      statusCode: row.status_code,
      durationMs: row.duration_ms,
      error: row.error,
      response: row.response,
    });
    byDelivery.set(row.delivery_id, attempts);
  }
  return byDelivery;
}
