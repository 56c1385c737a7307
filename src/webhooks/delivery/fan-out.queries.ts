import type { Database } from '../../database/unit-of-work.js';
import { EVERY_EVENT } from '../../manifest/event-manifest.js';
import type { EndpointKey } from '../../outbox/event-fanout.js';
import { OUTBOX_BATCH } from '../../outbox/outbox.queries.js';
import { ENDPOINT_OF_DELIVERY, type LeasedRow } from './delivery.queries.js';

/** How many first attempts this process can start right away. */
export interface FirstAttempts {
  /** Per endpoint that is not in {@link byEndpoint}. */
  readonly perNewEndpoint: number;
  /** Per endpoint that this process is already delivering to, by id. */
  readonly byEndpoint: ReadonlyMap<string, number>;
  /** Accounts without room: their other endpoints get none. */
  readonly fullAccounts: readonly string[];
}

/** The result of fanning out events. */
export interface FanOutResult {
  /** Events taken out of the outbox. */
  readonly taken: number;
  /** New deliveries leased to this process, with their bodies. */
  readonly leased: readonly (LeasedRow & EndpointKey & { readonly body: string | null })[];
  /** Endpoints with new deliveries that must be leased. */
  readonly waiting: readonly EndpointKey[];
}

/**
 * Takes events out of the outbox, and creates a delivery per event and subscribed, active endpoint of its account. The
 * first deliveries of each endpoint, as many as `room` allows, are leased to the caller at once.
 *
 * A pipeline statement: a batch has events of many accounts, and the join on the account keeps them apart. If an
 * endpoint is deleted concurrently, its new deliveries are removed with the rest of its data. The statement does not
 * wait for the disk: if a crash loses it, the events are still in the outbox, and the worst is a repeated delivery.
 *
 * @param graceMs how long a lease outlasts an attempt, milliseconds
 */
export async function fanOutEvents(
  limit: number,
  room: FirstAttempts,
  graceMs: number,
  db: Database,
): Promise<FanOutResult> {
  const rows = await db.rows<Row>(
    `WITH unsynced AS MATERIALIZED (
       SELECT set_config('synchronous_commit', 'off', true)
     ), taken AS MATERIALIZED (
       DELETE FROM ${OUTBOX_BATCH}
     ), delivery AS MATERIALIZED (
       SELECT t.account_id, new_record_id() AS id, w.id AS endpoint_id, t.event_id, t.kind, t.body, w.retry_count,
              ${ENDPOINT_OF_DELIVERY},
              CASE WHEN t.body IS NOT NULL AND row_number() OVER (PARTITION BY w.id ORDER BY t.event_id)
                        <= coalesce(r.room, CASE WHEN t.account_id = ANY ($4::uuid[]) THEN 0 ELSE $5::int END)
                   THEN date_trunc('milliseconds', now()) + w.timeout * interval '1 second'
                        + $6::int * interval '1 millisecond'
              END AS lease_until
       FROM taken t
       JOIN webhook_endpoints w ON w.account_id = t.account_id
       LEFT JOIN unnest($2::uuid[], $3::int[]) AS r (endpoint_id, room) ON r.endpoint_id = w.id
       WHERE w.status = 'active' AND w.deleted_at IS NULL AND w.subscribed_events && ARRAY[t.kind, '${EVERY_EVENT}']
     ), made AS (
       INSERT INTO webhook_deliveries (account_id, id, endpoint_id, event_id, kind, retries_left, lease_until)
       SELECT account_id, id, endpoint_id, event_id, kind, retry_count, lease_until FROM delivery
     )
     SELECT of_all.taken, d.*
     FROM (SELECT count(*)::int AS taken FROM taken) of_all
     LEFT JOIN (
       SELECT account_id, endpoint_id, id, event_id, 0 AS attempt_count, retry_count AS retries_left, body, lease_until,
              url, timeout, headers, secret, previous_secret, older_secrets
       FROM delivery WHERE lease_until IS NOT NULL
       UNION ALL
       SELECT DISTINCT account_id, endpoint_id, NULL::uuid, NULL::uuid, 0, 0, NULL, NULL::timestamptz, '', 0, NULL, NULL, NULL, NULL::text[]
       FROM delivery WHERE lease_until IS NULL
     ) d ON true`,
    [
      limit,
      [...room.byEndpoint.keys()],
      [...room.byEndpoint.values()],
      room.fullAccounts,
      room.perNewEndpoint,
      graceMs,
    ],
  );
  const made = rows.filter(({ endpointId }) => endpointId !== null);
  return {
    taken: rows[0]?.taken ?? 0,
    leased: made.filter(({ id }) => id !== null),
    waiting: made.filter(({ id }) => id === null),
  };
}

type Row = FanOutResult['leased'][number] & { readonly taken: number };
