import type { Tx } from '../database/unit-of-work.js';
import type { OutboxEvent, Wakeup } from '../outbox/event-fanout.js';
import type { NextStep, Verdict } from './attempt-rules.js';

interface EndpointRow {
  readonly account_id: string;
  readonly endpoint_id: string;
}

const wakeupOf = (row: EndpointRow): Wakeup => ({ accountId: row.account_id, endpointId: row.endpoint_id });

/**
 * Makes a delivery per event and active endpoint of the event's account that subscribed to its kind. A pipeline
 * statement: one batch holds events of many accounts, and the join keeps each to its own. The endpoints are locked
 * against deletion first, so that one deleted meanwhile gets nothing instead of failing the batch.
 */
export async function insertDeliveries(events: readonly OutboxEvent[], tx: Tx): Promise<Wakeup[]> {
  const rows = await tx.rows<EndpointRow>(
    `WITH endpoint AS MATERIALIZED (
       SELECT account_id, id, subscribed_events, retry_count
       FROM webhook_endpoints
       WHERE account_id = ANY ($1::uuid[]) AND status = 'active'
       FOR KEY SHARE
     ), delivery AS (
       INSERT INTO webhook_deliveries (account_id, id, endpoint_id, event_id, event_at, kind, retries_left)
       SELECT e.account_id, uuidv7(), w.id, e.id, e.occurred_at, e.kind, w.retry_count
       FROM unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[]) AS e (account_id, id, occurred_at, kind)
       JOIN endpoint w ON w.account_id = e.account_id AND e.kind = ANY (w.subscribed_events)
       RETURNING account_id, endpoint_id
     )
     SELECT DISTINCT account_id, endpoint_id FROM delivery`,
    [
      [...new Set(events.map(({ accountId }) => accountId))],
      events.map(({ accountId }) => accountId),
      events.map(({ eventId }) => eventId),
      events.map(({ occurredAt }) => occurredAt),
      events.map(({ kind }) => kind),
    ],
  );
  return rows.map(wakeupOf);
}

/** A delivery that this process may attempt until `lease_until`, with its endpoint as it is now. */
export interface ClaimedRow {
  readonly id: string;
  readonly event_id: string;
  readonly attempt_count: number;
  readonly retries_left: number;
  readonly lease_until: Date;
  /** Null when the event is older than the log keeps. */
  readonly body: string | null;
  readonly url: string;
  /** Seconds. */
  readonly timeout: number;
  readonly secret: string | null;
  readonly previous_secret: string | null;
}

/**
 * Claims due deliveries of one endpoint, longest due first, unless it is disabled. The lease outlasts an attempt by
 * `graceMs`; when this process dies, they are due again after that. Bodies come from the log by primary key, one by
 * one, so that only the partitions of their days are touched. A claim that the disk forgets costs a repetition at
 * most, so it does not wait for the disk.
 */
export function claimDue(
  accountId: string,
  endpointId: string,
  limit: number,
  graceMs: number,
  tx: Tx,
): Promise<ClaimedRow[]> {
  return tx.rows<ClaimedRow>(
    `WITH unsynced AS MATERIALIZED (
       SELECT set_config('synchronous_commit', 'off', true)
     ), endpoint AS MATERIALIZED (
       SELECT url, timeout, secret, CASE WHEN previous_secret_until > now() THEN previous_secret END AS previous_secret
       FROM webhook_endpoints, unsynced
       WHERE account_id = $1 AND id = $2 AND status = 'active'
     ), claimed AS (
       UPDATE webhook_deliveries d
       SET lease_until = date_trunc('milliseconds', now()) + endpoint.timeout * interval '1 second'
                       + $4::int * interval '1 millisecond'
       FROM endpoint
       WHERE d.account_id = $1 AND d.id = ANY (ARRAY(
         SELECT id FROM webhook_deliveries
         WHERE EXISTS (SELECT FROM endpoint) AND account_id = $1 AND endpoint_id = $2 AND status = 'pending'
           AND next_attempt_at <= now() AND (lease_until IS NULL OR lease_until <= now())
         ORDER BY next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED))
       RETURNING d.id, d.event_id, d.event_at, d.attempt_count, d.retries_left, d.lease_until, endpoint.*
     )
     SELECT c.id, c.event_id, c.attempt_count, c.retries_left, c.lease_until,
            (SELECT body FROM events e WHERE e.account_id = $1 AND e.id = c.event_id AND e.occurred_at = c.event_at) AS body,
            c.url, c.timeout, c.secret, c.previous_secret
     FROM claimed c`,
    [accountId, endpointId, limit, graceMs],
  );
}

/** What came of an attempt. */
export interface AttemptResult {
  readonly accountId: string;
  readonly endpointId: string;
  readonly deliveryId: string;
  readonly leaseUntil: Date;
  readonly verdict: Verdict;
  readonly next: NextStep;
  readonly at: Date;
  readonly statusCode: number | null;
  readonly durationMs: number;
  readonly error: string | null;
  readonly response: string | null;
}

/**
 * Logs attempts and moves their deliveries on. A pipeline statement: a batch holds results of many accounts. A success
 * counts whoever holds the lease by now; a failure only while the lease is ours, as somebody else may be at it. The
 * endpoints are locked against deletion first: a deletion takes them before their deliveries too. Results that the
 * disk forgets cost a repetition at most. "Pending" is said the long way round: else a planner without statistics reads
 * all of an account's pending deliveries per result, through their partial index.
 *
 * @param repeated whether an earlier try to record the same batch may have been committed
 */
export async function recordAttempts(results: readonly AttemptResult[], repeated: boolean, tx: Tx): Promise<void> {
  await tx.affected(
    `WITH unsynced AS MATERIALIZED (
       SELECT set_config('synchronous_commit', 'off', true)
     ), endpoint AS MATERIALIZED (
       SELECT w.account_id, w.id
       FROM webhook_endpoints w
       JOIN unnest($1::uuid[], $2::uuid[]) AS named (account_id, id) ON w.account_id = named.account_id AND w.id = named.id
       FOR KEY SHARE OF w
     ), result AS MATERIALIZED (
       SELECT r.*
       FROM unsynced,
            unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::timestamptz[], $7::text[], $8::int[], $9::timestamptz[],
                   $10::int[], $11::int[], $12::text[], $13::text[])
              AS r (account_id, endpoint_id, delivery_id, lease_until, status, delay_ms, at, status_code, duration_ms,
                    error, response)
       JOIN endpoint ON endpoint.account_id = r.account_id AND endpoint.id = r.endpoint_id
     ), logged AS (
       INSERT INTO webhook_attempts (account_id, delivery_id, at, status_code, duration_ms, error, response)
       SELECT account_id, delivery_id, at, status_code, duration_ms, error, response
       FROM result r
       WHERE NOT $14::boolean OR NOT EXISTS (
         SELECT FROM webhook_attempts a
         WHERE a.account_id = r.account_id AND a.delivery_id = r.delivery_id AND a.at = r.at)
     )
     UPDATE webhook_deliveries d
     SET status = r.status,
         attempt_count = attempt_count + 1,
         retries_left = CASE WHEN r.status = 'pending' THEN retries_left - 1 ELSE retries_left END,
         next_attempt_at = CASE WHEN r.status = 'pending' THEN now() + r.delay_ms * interval '1 millisecond' END,
         lease_until = NULL
     FROM result r
     WHERE d.account_id = r.account_id AND d.id = r.delivery_id AND d.status NOT IN ('delivered', 'failed')
       AND (r.status = 'delivered' OR d.lease_until = r.lease_until)`,
    [
      ...endpointsOf(results),
      results.map(({ accountId }) => accountId),
      results.map(({ endpointId }) => endpointId),
      results.map(({ deliveryId }) => deliveryId),
      results.map(({ leaseUntil }) => leaseUntil),
      results.map(({ next }) => next.status),
      results.map(({ next }) => (next.status === 'pending' ? next.delayMs : null)),
      results.map(({ at }) => at),
      results.map(({ statusCode }) => statusCode),
      results.map(({ durationMs }) => durationMs),
      results.map(({ error }) => error),
      results.map(({ response }) => response),
      repeated,
    ],
  );
}

/** The endpoints of a batch, each once: their accounts and their ids. */
function endpointsOf(results: readonly AttemptResult[]): [string[], string[]] {
  const endpoints = new Map(results.map(({ endpointId, accountId }) => [endpointId, accountId]));
  return [[...endpoints.values()], [...endpoints.keys()]];
}

/** How an endpoint did in a batch of attempts. */
export interface EndpointHealth {
  readonly accountId: string;
  readonly endpointId: string;
  readonly succeeded: boolean;
  /** It answered 410. */
  readonly gone: boolean;
}

/**
 * Keeps since when endpoints have known nothing but failures, and disables those that are gone or have failed for
 * `patienceMs` (D38). A pipeline statement. Only rows that change are locked, in one order.
 *
 * @returns the endpoints that it disabled
 */
export async function judgeEndpoints(
  health: readonly EndpointHealth[],
  patienceMs: number,
  reasons: { readonly gone: string; readonly failing: string },
  tx: Tx,
): Promise<Wakeup[]> {
  const rows = await tx.rows<EndpointRow & { readonly status: string }>(
    `WITH judged AS MATERIALIZED (
       SELECT w.account_id, w.id, h.succeeded,
              CASE WHEN h.gone THEN $5
                   WHEN NOT h.succeeded AND w.failing_since <= now() - $7 * interval '1 millisecond' THEN $6
              END AS reason
       FROM webhook_endpoints w
       JOIN unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::boolean[]) AS h (account_id, id, succeeded, gone)
         ON h.account_id = w.account_id AND h.id = w.id
       WHERE w.status = 'active'
         AND (h.gone OR h.succeeded = (w.failing_since IS NOT NULL)
              OR NOT h.succeeded AND w.failing_since <= now() - $7 * interval '1 millisecond')
       ORDER BY w.account_id, w.id
       FOR NO KEY UPDATE OF w
     )
     UPDATE webhook_endpoints w
     SET failing_since = CASE WHEN j.succeeded THEN NULL ELSE coalesce(w.failing_since, now()) END,
         status = CASE WHEN j.reason IS NULL THEN w.status ELSE 'disabled' END,
         disabled_reason = coalesce(j.reason, w.disabled_reason)
     FROM judged j
     WHERE w.account_id = j.account_id AND w.id = j.id
     RETURNING w.account_id, w.id AS endpoint_id, w.status`,
    [
      health.map(({ accountId }) => accountId),
      health.map(({ endpointId }) => endpointId),
      health.map(({ succeeded }) => succeeded),
      health.map(({ gone }) => gone),
      reasons.gone,
      reasons.failing,
      patienceMs,
    ],
  );
  return rows.filter(({ status }) => status === 'disabled').map(wakeupOf);
}

/** Gives claimed deliveries of one account back at once, for others to attempt. */
export async function releaseLeases(
  accountId: string,
  leases: readonly { readonly deliveryId: string; readonly leaseUntil: Date }[],
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `UPDATE webhook_deliveries d SET lease_until = NULL
     FROM unnest($2::uuid[], $3::timestamptz[]) AS held (id, lease_until)
     WHERE d.account_id = $1 AND d.id = held.id AND d.lease_until = held.lease_until`,
    [accountId, leases.map(({ deliveryId }) => deliveryId), leases.map(({ leaseUntil }) => leaseUntil)],
  );
}

/**
 * Every active endpoint that has a due delivery which nobody holds. A pipeline statement: it looks at all accounts. It
 * hops from endpoint to endpoint along the index of pending deliveries, so that it costs a look per endpoint with
 * something pending, however much that is, and next to nothing when nothing is.
 */
export async function findEndpointsWithDue(tx: Tx): Promise<Wakeup[]> {
  const rows = await tx.rows<EndpointRow>(
    `WITH RECURSIVE waiting AS (
       (SELECT account_id, endpoint_id FROM webhook_deliveries
        WHERE status = 'pending' ORDER BY account_id, endpoint_id LIMIT 1)
       UNION ALL
       SELECT next.account_id, next.endpoint_id
       FROM waiting w, LATERAL (
         SELECT account_id, endpoint_id FROM webhook_deliveries d
         WHERE d.status = 'pending' AND (d.account_id, d.endpoint_id) > (w.account_id, w.endpoint_id)
         ORDER BY account_id, endpoint_id LIMIT 1) next
     )
     SELECT w.account_id, w.endpoint_id
     FROM waiting w
     JOIN webhook_endpoints e ON e.account_id = w.account_id AND e.id = w.endpoint_id AND e.status = 'active'
     WHERE EXISTS (
       SELECT FROM webhook_deliveries d
       WHERE d.account_id = w.account_id AND d.endpoint_id = w.endpoint_id AND d.status = 'pending'
         AND d.next_attempt_at <= now() AND (d.lease_until IS NULL OR d.lease_until <= now()))`,
  );
  return rows.map(wakeupOf);
}
