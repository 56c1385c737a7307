import { type AuditAction, subjectTypeOf } from '../../audit/audit-action.js';
import type { Tx } from '../../database/unit-of-work.js';
import type { EndpointKey } from '../../outbox/event-fanout.js';

const DISABLED: AuditAction = 'webhook.disabled';

/** The results of one endpoint at one URL in a batch of attempts. */
export interface EndpointHealth {
  readonly accountId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly succeeded: boolean;
  /** It answered 410. */
  readonly gone: boolean;
}

/**
 * Tracks since when all attempts at an endpoint have failed, and disables endpoints that are gone or have failed for
 * `patienceMs`. A pipeline statement, which records them in the audit log too: attempts at failing endpoints are many,
 * and a transaction for each batch of them would cost two more round trips. Locks only rows that change, always in the
 * same order. Results of a URL that the endpoint no longer has are ignored.
 *
 * @returns the endpoints that were disabled
 */
export function updateEndpointHealth(
  health: readonly EndpointHealth[],
  patienceMs: number,
  reasons: { readonly gone: string; readonly failing: string },
  tx: Tx,
): Promise<EndpointKey[]> {
  return tx.rows<EndpointKey>(
    `WITH judged AS MATERIALIZED (
       SELECT w.account_id, w.id, h.succeeded,
              CASE WHEN h.gone THEN $5
                   WHEN NOT h.succeeded AND w.failing_since <= now() - $7 * interval '1 millisecond' THEN $6
              END AS reason
       FROM webhook_endpoints w
       JOIN unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::boolean[], $10::text[])
              AS h (account_id, id, succeeded, gone, url)
         ON h.account_id = w.account_id AND h.id = w.id AND h.url = w.url
       WHERE w.status = 'active' AND w.deleted_at IS NULL
         AND (h.gone OR h.succeeded = (w.failing_since IS NOT NULL)
              OR NOT h.succeeded AND w.failing_since <= now() - $7 * interval '1 millisecond')
       ORDER BY w.account_id, w.id
       FOR NO KEY UPDATE OF w
     ), changed AS (
       UPDATE webhook_endpoints w
       SET failing_since = CASE WHEN j.succeeded THEN NULL ELSE coalesce(w.failing_since, now()) END,
           status = CASE WHEN j.reason IS NULL THEN w.status ELSE 'disabled' END,
           disabled_reason = coalesce(j.reason, w.disabled_reason)
       FROM judged j
       WHERE w.account_id = j.account_id AND w.id = j.id
       RETURNING w.account_id, w.id AS endpoint_id, j.reason
     ), recorded AS (
       INSERT INTO audit_entries (account_id, id, actor, action, subject_type, subject_id, changes)
       SELECT account_id, new_record_id(), 'system', $8, $9, endpoint_id, jsonb_build_object('reason', reason)
       FROM changed WHERE reason IS NOT NULL
     )
     SELECT account_id, endpoint_id FROM changed WHERE reason IS NOT NULL`,
    [
      health.map(({ accountId }) => accountId),
      health.map(({ endpointId }) => endpointId),
      health.map(({ succeeded }) => succeeded),
      health.map(({ gone }) => gone),
      reasons.gone,
      reasons.failing,
      patienceMs,
      DISABLED,
      subjectTypeOf(DISABLED),
      health.map(({ url }) => url),
    ],
  );
}
