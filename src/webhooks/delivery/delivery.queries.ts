import type { Tx } from '../../database/unit-of-work.js';
import type { DeliveryRange } from '../log/delivery-range.js';
import type { WebhookAttempt } from '../webhook-attempt.entity.js';
import type { WebhookDelivery } from '../webhook-delivery.entity.js';
import type { WebhookEndpoint } from '../webhook-endpoint.entity.js';
import type { DeliveryVerdict, NextStep } from './delivery-verdict.js';

/** The columns of endpoint `w` that an attempt needs. */
export const ENDPOINT_OF_DELIVERY = `w.url, w.timeout, w.secret,
              CASE WHEN w.previous_secret_until > now() THEN w.previous_secret END AS previous_secret,
              w.failing_since IS NOT NULL AS is_failing`;

/** A delivery leased to this process, with the current settings of its endpoint. */
export type ClaimedRow = Pick<WebhookDelivery, 'id' | 'eventId' | 'attemptCount' | 'retriesLeft'> &
  Pick<WebhookEndpoint, 'url' | 'timeout' | 'secret' | 'previousSecret'> & {
    readonly leaseUntil: Date;
    /** Whether all attempts since the endpoint's last success have failed. */
    readonly isFailing: boolean;
  };

/**
 * Claims due deliveries of one endpoint, longest overdue first, unless it is disabled or deleted.
 *
 * The inner query has only a lower bound. With two, the planner would estimate the range to be so narrow that it reads
 * all of it instead of following the index of pending deliveries. The lease outlasts an attempt by `graceMs`; if this
 * process dies, the deliveries are due again after that. The claim does not wait for the disk: if a crash loses it, the
 * worst is a repeated delivery.
 */
export function claimDue(
  accountId: string,
  endpointId: string,
  { since, until }: DeliveryRange,
  limit: number,
  graceMs: number,
  tx: Tx,
): Promise<ClaimedRow[]> {
  return tx.rows<ClaimedRow>(
    `WITH unsynced AS MATERIALIZED (
       SELECT set_config('synchronous_commit', 'off', true)
     ), endpoint AS MATERIALIZED (
       SELECT ${ENDPOINT_OF_DELIVERY}
       FROM webhook_endpoints w, unsynced
       WHERE account_id = $1 AND id = $2 AND status = 'active' AND deleted_at IS NULL
     )
     UPDATE webhook_deliveries d
     SET lease_until = date_trunc('milliseconds', now()) + endpoint.timeout * interval '1 second'
                     + $6::int * interval '1 millisecond'
     FROM endpoint
     WHERE d.account_id = $1 AND d.id >= $3 AND d.id < $4 AND d.id = ANY (ARRAY(
       SELECT id FROM webhook_deliveries
       WHERE EXISTS (SELECT FROM endpoint) AND account_id = $1 AND endpoint_id = $2 AND id >= $3
         AND status = 'pending' AND next_attempt_at <= now() AND (lease_until IS NULL OR lease_until <= now())
       ORDER BY next_attempt_at LIMIT $5 FOR UPDATE SKIP LOCKED))
     RETURNING d.id, d.event_id, d.attempt_count, d.retries_left, d.lease_until, endpoint.*`,
    [accountId, endpointId, since, until, limit, graceMs],
  );
}

/** The result of one attempt. */
export interface AttemptResult
  extends Readonly<Pick<WebhookAttempt, 'accountId' | 'deliveryId' | 'at' | 'statusCode' | 'durationMs' | 'error'>> {
  readonly endpointId: string;
  /** The endpoint's URL at the time. */
  readonly url: string;
  readonly leaseUntil: Date;
  /** Whether the endpoint was already failing when this attempt began. */
  readonly wasFailing: boolean;
  readonly verdict: DeliveryVerdict;
  /** Whether the attempt failed on our side, so that it says nothing about the endpoint. */
  readonly isOurFault: boolean;
  readonly next: NextStep;
  readonly response: string | null;
}

/**
 * Logs attempts and updates their deliveries. A pipeline statement: a batch has results of many accounts. A success
 * always counts; a failure counts only while the lease is ours, because another process may be attempting the delivery.
 * Recording a batch twice changes nothing. The statement does not wait for the disk: if a crash loses results, the
 * worst is a repeated delivery.
 *
 * The ids are repeated beside the join: as arrays they prune partitions and bound what any plan reads. A range of ids
 * would not, since millions of rows may lie between the oldest retry of a batch and its newest delivery. "Pending" is
 * written as NOT IN: otherwise a planner without statistics uses the partial index and reads all of an account's
 * pending deliveries per result.
 */
export async function recordAttempts(results: readonly AttemptResult[], tx: Tx): Promise<void> {
  const ordered = inOrder(results);
  await tx.affected(
    `WITH unsynced AS MATERIALIZED (
       SELECT set_config('synchronous_commit', 'off', true)
     ), result AS MATERIALIZED (
       SELECT r.*
       FROM unsynced,
            unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::int[], $6::timestamptz[], $7::int[],
                   $8::int[], $9::text[], $10::text[])
              AS r (account_id, delivery_id, lease_until, status, delay_ms, at, status_code, duration_ms, error, response)
     ), logged AS (
       INSERT INTO webhook_attempts (account_id, delivery_id, at, status_code, duration_ms, error, response)
       SELECT account_id, delivery_id, at, status_code, duration_ms, error, response FROM result
       ON CONFLICT (account_id, delivery_id, at) DO NOTHING
     )
     UPDATE webhook_deliveries d
     SET status = r.status,
         attempt_count = attempt_count + 1,
         retries_left = CASE WHEN r.status = 'pending' THEN retries_left - 1 ELSE retries_left END,
         next_attempt_at = CASE WHEN r.status = 'pending' THEN now() + r.delay_ms * interval '1 millisecond' END,
         lease_until = NULL
     FROM result r
     WHERE d.account_id = r.account_id AND d.id = r.delivery_id
       AND d.account_id = ANY ($1::uuid[]) AND d.id = ANY ($2::uuid[])
       AND d.status NOT IN ('delivered', 'failed') AND (r.status = 'delivered' OR d.lease_until = r.lease_until)`,
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
    ],
  );
}

/** A delivery lease. */
export interface Lease {
  readonly deliveryId: string;
  readonly leaseUntil: Date;
}

/** Releases leases of one account, so that others can attempt the deliveries immediately. */
export async function releaseLeases(accountId: string, leases: readonly Lease[], tx: Tx): Promise<void> {
  const ordered = inOrder(leases);
  await tx.affected(
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
