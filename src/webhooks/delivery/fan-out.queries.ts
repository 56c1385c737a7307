import type { Tx } from '../../database/unit-of-work.js';
import type { Wakeup } from '../../outbox/event-fanout.js';
import { OUTBOX_BATCH } from '../../outbox/outbox.queries.js';
import { type ClaimedRow, ENDPOINT_OF_DELIVERY } from './delivery.queries.js';

/** How many first attempts this process may start at once. */
export interface FirstAttempts {
  /** To an endpoint that is not listed. */
  readonly perNewEndpoint: number;
  /** To endpoints that are at work here, by their ids. */
  readonly byEndpoint: ReadonlyMap<string, number>;
  /** Accounts whose endpoints get none. */
  readonly fullAccounts: readonly string[];
}

/** What came of events that left the outbox. */
export interface FanOutResult {
  readonly taken: number;
  /** Deliveries that were made and leased to this process at once, with their bodies. */
  readonly leased: readonly (ClaimedRow & Wakeup & { readonly body: string | null })[];
  /** Endpoints with deliveries that wait to be claimed. */
  readonly waiting: readonly Wakeup[];
}

/**
 * Takes events out of the outbox and makes a delivery per event and active endpoint of the event's account that subscribed
 * to its kind. The first of each endpoint, as many as `room` has, are leased to the caller, which spares them their claim. A
 * pipeline statement: one batch holds events of many accounts, and the join keeps each to its own. What is made for an
 * endpoint that is deleted at that moment is removed with what else it has left. A batch that the disk forgets is taken again, which costs a
 * repetition at most, so it does not wait for the disk.
 *
 * @param graceMs by how much a lease outlasts an attempt
 */
export async function fanOutEvents(limit: number, room: FirstAttempts, graceMs: number, tx: Tx): Promise<FanOutResult> {
  const rows = await tx.rows<Row>(
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
       WHERE w.status = 'active' AND w.deleted_at IS NULL AND t.kind = ANY (w.subscribed_events)
     ), made AS (
       INSERT INTO webhook_deliveries (account_id, id, endpoint_id, event_id, kind, retries_left, lease_until)
       SELECT account_id, id, endpoint_id, event_id, kind, retry_count, lease_until FROM delivery
     )
     SELECT of_all.taken, d.*
     FROM (SELECT count(*)::int AS taken FROM taken) of_all
     LEFT JOIN (
       SELECT account_id, endpoint_id, id, event_id, 0 AS attempt_count, retry_count AS retries_left, body, lease_until,
              url, timeout, secret, previous_secret, is_failing
       FROM delivery WHERE lease_until IS NOT NULL
       UNION ALL
       SELECT DISTINCT account_id, endpoint_id, NULL::uuid, NULL::uuid, 0, 0, NULL, NULL::timestamptz, '', 0, NULL, NULL,
              false
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
