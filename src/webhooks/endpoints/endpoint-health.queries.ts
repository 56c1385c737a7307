import type { Tx } from '../../database/unit-of-work.js';
import type { Wakeup } from '../../outbox/event-fanout.js';
import type { EndpointStatus } from '../webhook-endpoint.entity.js';

/** The results of one endpoint in a batch of attempts. */
export interface EndpointHealth {
  readonly accountId: string;
  readonly endpointId: string;
  readonly succeeded: boolean;
  /** It answered 410. */
  readonly gone: boolean;
}

/**
 * Tracks since when all attempts at an endpoint have failed, and disables endpoints that are gone or have failed for
 * `patienceMs`. A pipeline statement. Locks only rows that change, always in the same order.
 *
 * @returns the endpoints that were disabled
 */
export async function updateEndpointHealth(
  health: readonly EndpointHealth[],
  patienceMs: number,
  reasons: { readonly gone: string; readonly failing: string },
  tx: Tx,
): Promise<Wakeup[]> {
  const changed = await tx.rows<Wakeup & { readonly status: EndpointStatus }>(
    `WITH judged AS MATERIALIZED (
       SELECT w.account_id, w.id, h.succeeded,
              CASE WHEN h.gone THEN $5
                   WHEN NOT h.succeeded AND w.failing_since <= now() - $7 * interval '1 millisecond' THEN $6
              END AS reason
       FROM webhook_endpoints w
       JOIN unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::boolean[]) AS h (account_id, id, succeeded, gone)
         ON h.account_id = w.account_id AND h.id = w.id
       WHERE w.status = 'active' AND w.deleted_at IS NULL
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
  return changed.filter(({ status }) => status === 'disabled');
}
