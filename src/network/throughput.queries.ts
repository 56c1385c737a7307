import type { Tx } from '../database/unit-of-work.js';

/** A booked stretch of a phone's throughput. */
export interface Booking {
  /** Milliseconds from now until its first message may be sent. */
  readonly waitMs: number;
}

/**
 * Books `messages` sends of a phone behind those already booked, unless that would begin more than `furthestMs` from
 * now. A phone that was slowed down wins back half of its speed every few quiet seconds.
 *
 * @param perSecond messages per second at full speed
 * @returns null when the phone is booked out
 */
export function bookThroughput(
  accountId: string,
  businessPhoneId: string,
  booking: { messages: number; perSecond: number; furthestMs: number; recoveryMs: number },
  tx: Tx,
): Promise<Booking | null> {
  return tx.row<Booking>(
    `INSERT INTO phone_throughput AS t (account_id, business_phone_id, next_at)
     VALUES ($1, $2, clock_timestamp() + $3::float8 / $4::float8 * interval '1 second')
     ON CONFLICT ON CONSTRAINT phone_throughput_pkey DO UPDATE
     SET (slowdown, slowed_at, next_at) = (
           SELECT r.slowdown,
                  CASE WHEN t.slowdown <= 1 THEN NULL
                       WHEN r.slowdown < t.slowdown THEN clock_timestamp() ELSE t.slowed_at END,
                  greatest(t.next_at, clock_timestamp()) + $3::float8 * r.slowdown / $4::float8 * interval '1 second'
           FROM (SELECT CASE WHEN t.slowed_at < clock_timestamp() - $6::float8 * interval '1 millisecond'
                             THEN greatest(1, t.slowdown / 2) ELSE t.slowdown END AS slowdown) r
         )
     WHERE t.next_at <= clock_timestamp() + $5::float8 * interval '1 millisecond'
     RETURNING greatest(0, extract(epoch FROM t.next_at - clock_timestamp()) * 1000
                           - $3::float8 * t.slowdown / $4::float8 * 1000)::float8 AS wait_ms`,
    [accountId, businessPhoneId, booking.messages, booking.perSecond, booking.furthestMs, booking.recoveryMs],
  );
}

/** Halves a phone's speed, at most once in `notAgainMs`, down to a floor. */
export function slowDown(accountId: string, businessPhoneId: string, notAgainMs: number, tx: Tx): Promise<number> {
  return tx.affected(
    `INSERT INTO phone_throughput AS t (account_id, business_phone_id, slowdown, slowed_at)
     VALUES ($1, $2, 2, clock_timestamp())
     ON CONFLICT ON CONSTRAINT phone_throughput_pkey DO UPDATE
     SET slowdown = least(64, t.slowdown * 2), slowed_at = clock_timestamp()
     WHERE t.slowed_at IS NULL OR t.slowed_at < clock_timestamp() - $3::float8 * interval '1 millisecond'`,
    [accountId, businessPhoneId, notAgainMs],
  );
}
