import type { Database } from '../../database/unit-of-work.js';

/** The slots that this process requests from one phone. */
export interface SlotRequest {
  readonly accountId: string;
  readonly businessPhoneId: string;
  /** Messages per second at full speed. */
  readonly perSecond: number;
  /** Single sends, which go first. */
  readonly singles: number;
  /** Milliseconds ahead that a single send may be booked. */
  readonly patienceMs: number;
  /** Campaign messages. */
  readonly messages: number;
}

/** The slots booked for one phone: evenly spaced, single sends first. */
export interface BookedSlots {
  readonly businessPhoneId: string;
  /** Milliseconds from now until the first slot. */
  readonly waitMs: number;
  /** Milliseconds between two slots. */
  readonly intervalMs: number;
  readonly singles: number;
  readonly messages: number;
  /** Whether another process sends this phone's campaigns. */
  readonly isElsewhere: boolean;
}

/** The rules by which campaigns book slots. */
export interface CampaignBooking {
  /** The process that books. It owns the phone while it keeps booking. */
  readonly owner: string;
  /** Maximum milliseconds ahead that campaigns book. */
  readonly horizonMs: number;
  /** Milliseconds by which free slots may have passed if they follow those that the owner booked. */
  readonly arrearsMs: number;
  /** Milliseconds the process owns the phone after a booking. */
  readonly keepMs: number;
}

/** A phone's times are at most seconds ahead. One further ahead comes from a clock that has since been set back. */
export const MAX_LEAD = `interval '1 minute'`;

/**
 * Books slots for many phones. Each slot follows those already booked, and none starts too far ahead.
 *
 * One process at a time sends a phone's campaigns, so that a single clock paces them: the process that booked last owns
 * the phone for `keepMs`. A slowed phone doubles its speed after every `recoveryMs` without a new error. Phones without
 * a row are left out. Pipeline statement: each request names its tenant.
 */
export function bookSlots(
  requests: readonly SlotRequest[],
  { owner, horizonMs, arrearsMs, keepMs }: CampaignBooking,
  recoveryMs: number,
  db: Database,
): Promise<BookedSlots[]> {
  const column = <T>(read: (request: SlotRequest) => T): T[] => requests.map(read);
  return db.rows<BookedSlots>(
    `WITH wanted AS MATERIALIZED (
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::float8[], $4::integer[], $5::float8[], $6::integer[])
         AS w (account_id, business_phone_id, per_second, singles, patience, messages)
     ), held AS MATERIALIZED (
       SELECT w.*, t.next_at, t.slowdown, t.slowed_at, t.owner, t.owned_until
       FROM wanted w
       JOIN phone_throughput t ON t.account_id = w.account_id AND t.business_phone_id = w.business_phone_id
       ORDER BY t.account_id, t.business_phone_id
       FOR NO KEY UPDATE OF t
     ), paced AS MATERIALIZED (
       SELECT h.*, c.at, r.slow, d.distance, f.free_at, extract(epoch FROM f.free_at - c.at)::float8 AS ahead,
              h.messages > 0 AND coalesce(h.owner <> $7 AND h.owned_until BETWEEN c.at AND c.at + ${MAX_LEAD}, false) AS elsewhere
       FROM held h, clock_timestamp() AS c (at), LATERAL (
         SELECT CASE WHEN h.slowed_at BETWEEN c.at - $10::float8 * interval '1 millisecond' AND c.at
                     THEN h.slowdown ELSE greatest(1, h.slowdown / 2) END AS slow
       ) r, LATERAL (
         SELECT r.slow / h.per_second AS distance
       ) d, LATERAL (
         SELECT CASE WHEN h.next_at BETWEEN c.at - CASE WHEN h.messages > 0 AND h.owner = $7
                                                    THEN $11::float8 * interval '1 millisecond' ELSE interval '0' END AND c.at + ${MAX_LEAD} + d.distance * interval '1 second'
                     THEN h.next_at ELSE c.at END AS free_at
       ) f
     ), booked AS MATERIALIZED (
       SELECT p.*, s.first, CASE WHEN p.elsewhere THEN 0 ELSE least(p.messages, c.free) END AS campaign
       FROM paced p, LATERAL (
         SELECT least(p.singles, floor(greatest(-1, (p.patience / 1000 - p.ahead) / p.distance) + 1)::integer) AS first
       ) s, LATERAL (
         SELECT floor(greatest(-1, ($8::float8 / 1000 - p.ahead) / p.distance - s.first) + 1)::integer AS free
       ) c
     ), stored AS (
       UPDATE phone_throughput t
       SET next_at = b.free_at + (b.first + b.campaign) * b.distance * interval '1 second',
           slowdown = b.slow,
           slowed_at = CASE WHEN b.slowdown <= 1 THEN NULL WHEN b.slow < b.slowdown THEN b.at ELSE b.slowed_at END,
           owner = CASE WHEN b.campaign > 0 THEN $7 ELSE b.owner END,
           owned_until = CASE WHEN b.campaign > 0 THEN b.at + $9::float8 * interval '1 millisecond' ELSE b.owned_until END
       FROM booked b
       WHERE t.account_id = b.account_id AND t.business_phone_id = b.business_phone_id AND b.first + b.campaign > 0
     )
     SELECT business_phone_id, ahead * 1000 AS wait_ms, distance * 1000 AS interval_ms, first AS singles,
            campaign AS messages, elsewhere AS is_elsewhere
     FROM booked`,
    [
      column(({ accountId }) => accountId),
      column(({ businessPhoneId }) => businessPhoneId),
      column(({ perSecond }) => perSecond),
      column(({ singles }) => singles),
      column(({ patienceMs }) => patienceMs),
      column(({ messages }) => messages),
      owner,
      horizonMs,
      keepMs,
      recoveryMs,
      arrearsMs,
    ],
  );
}

/** Inserts rows for phones that have never sent. Unknown phones are skipped. Pipeline statement. */
export async function ensureThroughput(
  phones: readonly { readonly accountId: string; readonly businessPhoneId: string }[],
  db: Database,
): Promise<void> {
  await db.affected(
    `INSERT INTO phone_throughput (account_id, business_phone_id)
     SELECT p.account_id, p.id
     FROM unnest($1::uuid[], $2::uuid[]) AS w (account_id, id)
     JOIN business_phones p ON p.account_id = w.account_id AND p.id = w.id
     ORDER BY p.account_id, p.id
     ON CONFLICT ON CONSTRAINT phone_throughput_pkey DO NOTHING`,
    [phones.map(({ accountId }) => accountId), phones.map(({ businessPhoneId }) => businessPhoneId)],
  );
}

/** Releases every phone that a process owns, so that others can take over immediately. All tenants. */
export async function releasePhones(owner: string, db: Database): Promise<void> {
  await db.affected('UPDATE phone_throughput SET owner = NULL, owned_until = NULL WHERE owner = $1', [owner]);
}

/** Halves a phone's speed, at most once per `notAgainMs` and down to 1/64. */
export function slowDown(
  accountId: string,
  businessPhoneId: string,
  notAgainMs: number,
  db: Database,
): Promise<number> {
  return db.affected(
    `INSERT INTO phone_throughput AS t (account_id, business_phone_id, slowdown, slowed_at)
     VALUES ($1, $2, 2, clock_timestamp())
     ON CONFLICT ON CONSTRAINT phone_throughput_pkey DO UPDATE
     SET slowdown = least(64, t.slowdown * 2), slowed_at = clock_timestamp()
     WHERE (t.slowed_at BETWEEN clock_timestamp() - $3::float8 * interval '1 millisecond' AND clock_timestamp()) IS NOT TRUE`,
    [accountId, businessPhoneId, notAgainMs],
  );
}
