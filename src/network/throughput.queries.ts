import type { Tx } from '../database/unit-of-work.js';

/** What is wanted of one phone at this moment. */
export interface WantedSlots {
  readonly accountId: string;
  readonly businessPhoneId: string;
  /** Messages per second at full speed. */
  readonly perSecond: number;
  /** Single sends, which go first. */
  readonly singles: number;
  /** How far ahead a single send may be booked, milliseconds. */
  readonly patienceMs: number;
  /** Campaign messages. */
  readonly messages: number;
}

/** What was booked of one phone: slots at equal distances, those of single sends first. */
export interface BookedSlots {
  readonly businessPhoneId: string;
  /** Milliseconds from now until the first slot. */
  readonly waitMs: number;
  /** Distance of two slots, milliseconds. */
  readonly intervalMs: number;
  readonly singles: number;
  readonly messages: number;
  /** Whether another process sends the campaigns of this phone. */
  readonly isElsewhere: boolean;
}

/** How campaigns book. */
export interface CampaignBooking {
  /** The process, which keeps the phone for itself while it books. */
  readonly owner: string;
  /** How far ahead campaigns book at most, milliseconds. */
  readonly horizonMs: number;
  /** How long the phone is kept after a booking, milliseconds. */
  readonly keepMs: number;
}

/** Times of a phone lie ahead by seconds. One that is further ahead was set by a clock that has been set back since. */
export const MAX_LEAD = `interval '1 minute'`;

/**
 * Books slots of many phones, each behind those already booked, and none that would begin too far ahead. The campaigns of a
 * phone are sent by one process at a time, so that one clock paces them: whoever booked last keeps the phone for a while. A
 * phone that was slowed down wins back half of its speed every few quiet seconds. Phones without a row are left out. Pipeline
 * statement: each request names its tenant.
 */
export function bookSlots(
  wanted: readonly WantedSlots[],
  { owner, horizonMs, keepMs }: CampaignBooking,
  recoveryMs: number,
  tx: Tx,
): Promise<BookedSlots[]> {
  const of = <T>(read: (each: WantedSlots) => T): T[] => wanted.map(read);
  return tx.rows<BookedSlots>(
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
         SELECT CASE WHEN h.next_at BETWEEN c.at AND c.at + ${MAX_LEAD} + d.distance * interval '1 second'
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
      of(({ accountId }) => accountId),
      of(({ businessPhoneId }) => businessPhoneId),
      of(({ perSecond }) => perSecond),
      of(({ singles }) => singles),
      of(({ patienceMs }) => patienceMs),
      of(({ messages }) => messages),
      owner,
      horizonMs,
      keepMs,
      recoveryMs,
    ],
  );
}

/** Makes the rows of phones that have never sent; those that do not exist are left out. Pipeline statement. */
export async function ensureThroughput(
  phones: readonly { readonly accountId: string; readonly businessPhoneId: string }[],
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `INSERT INTO phone_throughput (account_id, business_phone_id)
     SELECT p.account_id, p.id
     FROM unnest($1::uuid[], $2::uuid[]) AS w (account_id, id)
     JOIN business_phones p ON p.account_id = w.account_id AND p.id = w.id
     ORDER BY p.account_id, p.id
     ON CONFLICT ON CONSTRAINT phone_throughput_pkey DO NOTHING`,
    [phones.map(({ accountId }) => accountId), phones.map(({ businessPhoneId }) => businessPhoneId)],
  );
}

/** Lets go of all phones that a process keeps, so that others go on at once. All tenants. */
export async function releasePhones(owner: string, tx: Tx): Promise<void> {
  await tx.affected('UPDATE phone_throughput SET owner = NULL, owned_until = NULL WHERE owner = $1', [owner]);
}

/** Halves a phone's speed, at most once in `notAgainMs`, down to a floor. */
export function slowDown(accountId: string, businessPhoneId: string, notAgainMs: number, tx: Tx): Promise<number> {
  return tx.affected(
    `INSERT INTO phone_throughput AS t (account_id, business_phone_id, slowdown, slowed_at)
     VALUES ($1, $2, 2, clock_timestamp())
     ON CONFLICT ON CONSTRAINT phone_throughput_pkey DO UPDATE
     SET slowdown = least(64, t.slowdown * 2), slowed_at = clock_timestamp()
     WHERE (t.slowed_at BETWEEN clock_timestamp() - $3::float8 * interval '1 millisecond' AND clock_timestamp()) IS NOT TRUE`,
    [accountId, businessPhoneId, notAgainMs],
  );
}
