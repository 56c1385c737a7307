import type { Database } from '../../database/unit-of-work.js';
import type { EndpointKey } from '../../outbox/event-fanout.js';
import type { WebhookAttempt } from '../webhook-attempt.entity.js';
import type { WebhookDelivery } from '../webhook-delivery.entity.js';
import type { WebhookEndpoint } from '../webhook-endpoint.entity.js';
import type { DeliveryRange } from './delivery-range.js';
import type { DeliveryVerdict, NextStep } from './delivery-verdict.js';

/** The columns of endpoint `w` that an attempt needs. */
export const ENDPOINT_OF_DELIVERY = `w.url, w.timeout, w.headers, w.secret,
              CASE WHEN w.previous_secret_until > now() THEN w.previous_secret END AS previous_secret,
              CASE WHEN w.older_secrets <> '{}' THEN ARRAY(
                SELECT o.secret FROM unnest(w.older_secrets, w.older_secrets_until) AS o (secret, until)
                WHERE o.until > now()
              ) END AS older_secrets`;

/** A delivery leased to this process, with the current settings of its endpoint. */
export type LeasedRow = Pick<WebhookDelivery, 'id' | 'eventId' | 'attemptCount' | 'retriesLeft'> &
  Pick<WebhookEndpoint, 'url' | 'timeout' | 'headers' | 'secret' | 'previousSecret'> & {
    readonly leaseUntil: Date;
    /** Those that still sign, newest first; null for none. */
    readonly olderSecrets: readonly string[] | null;
  };

/**
 * Leases due deliveries of one endpoint, longest overdue first, unless it is disabled or deleted.
 *
 * The inner query has only a lower bound. With two, the planner would estimate the range to be so narrow that it reads
 * all of it instead of following the index of pending deliveries. The update finds each row by primary key: `due` brings
 * both columns of the key, and the range stands on `due` because the planner then expects a single row of it. As a
 * condition of `d`, the range is what PostgreSQL 16 without statistics reads, with all pending deliveries in it. The
 * lease outlasts an attempt by `graceMs`; if this process dies, the deliveries are due again after that. The statement
 * does not wait for the disk: if a crash loses it, the worst is a repeated delivery.
 */
export function leaseDue(
  accountId: string,
  endpointId: string,
  { since, until }: DeliveryRange,
  limit: number,
  graceMs: number,
  db: Database,
): Promise<LeasedRow[]> {
  return db.rows<LeasedRow>(
    `WITH unsynced AS MATERIALIZED (
       SELECT set_config('synchronous_commit', 'off', true)
     ), endpoint AS MATERIALIZED (
       SELECT account_id, ${ENDPOINT_OF_DELIVERY}
       FROM webhook_endpoints w, unsynced
       WHERE account_id = $1 AND id = $2 AND status = 'active' AND deleted_at IS NULL
     )
     UPDATE webhook_deliveries d
     SET lease_until = date_trunc('milliseconds', now()) + due.timeout * interval '1 second'
                     + $6::int * interval '1 millisecond'
     FROM (SELECT endpoint.*, unnest(ARRAY(
             SELECT id FROM webhook_deliveries
             WHERE EXISTS (SELECT FROM endpoint) AND account_id = $1 AND endpoint_id = $2 AND id >= $3
               AND status = 'pending' AND next_attempt_at <= now() AND (lease_until IS NULL OR lease_until <= now())
             ORDER BY next_attempt_at LIMIT $5 FOR UPDATE SKIP LOCKED)) AS id
           FROM endpoint) due
     WHERE d.account_id = due.account_id AND d.id = due.id AND due.id >= $3 AND due.id < $4
     RETURNING d.id, d.event_id, d.attempt_count, d.retries_left, d.lease_until,
               due.url, due.timeout, due.headers, due.secret, due.previous_secret, due.older_secrets`,
    [accountId, endpointId, since, until, limit, graceMs],
  );
}

/** The result of one attempt. */
export interface DeliveryAttempt
  extends Readonly<
    Pick<WebhookAttempt, 'accountId' | 'deliveryId' | 'at' | 'statusCode' | 'durationMs' | 'error' | 'note'>
  > {
  readonly endpointId: string;
  /** The endpoint's URL at the time. */
  readonly url: string;
  readonly leaseUntil: Date;
  readonly verdict: DeliveryVerdict;
  /** Whether the attempt failed on our side, so that it says nothing about the endpoint. */
  readonly isOurFault: boolean;
  readonly next: NextStep;
  readonly response: string | null;
}

/** An endpoint with enough evidence to disable it. */
export interface FailingEndpoint extends EndpointKey {
  /** When the first of its deliveries failed for good. */
  readonly failingSince: Date;
}

/**
 * Logs attempts, updates their deliveries, and notes what they say about their endpoints. A pipeline statement: a batch
 * has results of many accounts. A success always counts; a failure counts only while the lease is ours, because another
 * process may be attempting the delivery. Recording a batch twice changes nothing. The statement does not wait for the
 * disk: if a crash loses results, the worst is a repeated delivery.
 *
 * An endpoint is judged by deliveries that fail for good in this statement, at the URL that it still has, and not by
 * failures on our side. One success outweighs all failures of its batch. Only endpoints that change are locked, always
 * in the same order. Workers of the release before only set and clear `failing_since`, without the count: either of the
 * two alone means nothing.
 *
 * The ids are repeated beside the join: as arrays they prune partitions and bound what any plan reads. A range of ids
 * would not, since millions of rows may lie between the oldest retry of a batch and its newest delivery. "Pending" is
 * written as NOT IN: otherwise a planner without statistics uses the partial index and reads all of an account's
 * pending deliveries per result.
 *
 * @returns the active endpoints of the batch with enough evidence to disable them
 */
export async function recordAttempts(
  results: readonly DeliveryAttempt[],
  evidence: { readonly deliveries: number; readonly spanMs: number },
  db: Database,
): Promise<FailingEndpoint[]> {
  const ordered = inOrder(results);
  return db.rows<FailingEndpoint>(
    `WITH unsynced AS MATERIALIZED (
       SELECT set_config('synchronous_commit', 'off', true)
     ), result AS MATERIALIZED (
       SELECT r.*
       FROM unsynced,
            unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::int[], $6::timestamptz[], $7::int[],
                   $8::int[], $9::text[], $10::text[], $11::uuid[], $12::text[], $15::text[])
              AS r (account_id, delivery_id, lease_until, status, delay_ms, at, status_code, duration_ms, error, response,
                    endpoint_id, url, note)
     ), logged AS (
       INSERT INTO webhook_attempts (account_id, delivery_id, at, status_code, duration_ms, error, response, note)
       SELECT account_id, delivery_id, at, status_code, duration_ms, error, response, note FROM result
       ON CONFLICT (account_id, delivery_id, at) DO NOTHING
     ), updated AS (
       UPDATE webhook_deliveries d
       SET status = r.status,
           attempt_count = attempt_count + 1,
           retries_left = CASE WHEN r.status = 'pending' THEN retries_left - 1 ELSE retries_left END,
           next_attempt_at = CASE WHEN r.status = 'pending' THEN now() + r.delay_ms * interval '1 millisecond' END,
           lease_until = NULL
       FROM result r
       WHERE d.account_id = r.account_id AND d.id = r.delivery_id
         AND d.account_id = ANY ($1::uuid[]) AND d.id = ANY ($2::uuid[])
         AND d.status NOT IN ('delivered', 'failed') AND (r.status = 'delivered' OR d.lease_until = r.lease_until)
       RETURNING d.id, d.status
     ), said AS (
       SELECT r.account_id, r.endpoint_id, r.url, bool_or(r.status = 'delivered') AS succeeded,
              count(*) FILTER (WHERE u.status = 'failed')::int AS failed
       FROM result r LEFT JOIN updated u ON u.id = r.delivery_id
       WHERE r.url IS NOT NULL
       GROUP BY r.account_id, r.endpoint_id, r.url
     ), judged AS MATERIALIZED (
       SELECT w.account_id, w.id AS endpoint_id, s.succeeded, s.failed,
              s.failed + CASE WHEN w.failing_since IS NULL THEN 0 ELSE w.failed_deliveries END AS failures,
              coalesce(CASE WHEN w.failed_deliveries > 0 THEN w.failing_since END, now()) AS failing_since
       FROM webhook_endpoints w JOIN said s ON s.account_id = w.account_id AND s.endpoint_id = w.id AND s.url = w.url
       WHERE w.status = 'active' AND w.deleted_at IS NULL
         AND CASE WHEN s.succeeded THEN w.failing_since IS NOT NULL
                  ELSE s.failed > 0 OR w.failed_deliveries >= $13::int END
       ORDER BY w.account_id, w.id
       FOR NO KEY UPDATE OF w
     ), noted AS (
       UPDATE webhook_endpoints w
       SET failed_deliveries = CASE WHEN j.succeeded THEN 0 ELSE j.failures END,
           failing_since = CASE WHEN NOT j.succeeded THEN j.failing_since END
       FROM judged j
       WHERE w.account_id = j.account_id AND w.id = j.endpoint_id AND (j.succeeded OR j.failed > 0)
     )
     SELECT account_id, endpoint_id, failing_since FROM judged
     WHERE NOT succeeded AND failures >= $13::int AND failing_since <= now() - $14::bigint * interval '1 millisecond'`,
    [
      ordered.map(({ accountId }) => accountId),
      ordered.map(({ deliveryId }) => deliveryId),
      ordered.map(({ leaseUntil }) => leaseUntil),
      ordered.map(({ next }) => next.status),
      ordered.map(({ next }) => (next.status === 'pending' ? next.delayMs : null)),
      ordered.map(({ at }) => at),
      ordered.map(({ statusCode }) => statusCode),
      ordered.map(({ durationMs }) => durationMs),
      ordered.map(({ error }) => error),
      ordered.map(({ response }) => response),
      ordered.map(({ endpointId }) => endpointId),
      ordered.map(({ isOurFault, url }) => (isOurFault ? null : url)),
      evidence.deliveries,
      evidence.spanMs,
      ordered.map(({ note }) => note),
    ],
  );
}

/** A delivery lease. */
export interface Lease {
  readonly deliveryId: string;
  readonly leaseUntil: Date;
}

/** Releases leases of one account, so that others can attempt the deliveries immediately. */
export async function releaseLeases(accountId: string, leases: readonly Lease[], db: Database): Promise<void> {
  const ordered = inOrder(leases);
  await db.affected(
    `UPDATE webhook_deliveries d SET lease_until = NULL
     FROM unnest($2::uuid[], $3::timestamptz[]) AS held (id, lease_until)
     WHERE d.account_id = $1 AND d.id = held.id AND d.lease_until = held.lease_until
       AND d.id = ANY ($2::uuid[])`,
    [accountId, ordered.map(({ deliveryId }) => deliveryId), ordered.map(({ leaseUntil }) => leaseUntil)],
  );
}

/** Sorts by id, the order in which rows are locked. */
const inOrder = <Item extends { readonly deliveryId: string }>(items: readonly Item[]): Item[] =>
  items.toSorted((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
