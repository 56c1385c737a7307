import type { Database } from '../../database/unit-of-work.js';
import type { PhoneWait } from './phone-wait.entity.js';

/** The longest distance between two probes of a waiting phone, seconds. */
const MAX_DISTANCE_SECONDS = 60;
/** No probe is further ahead; one that is comes from a clock that has since been set back. */
const MAX_PROBE_LEAD = `interval '15 minutes'`;

/** Condition: the phone of campaign `g` waits now. */
export const PHONE_WAITS = `EXISTS (SELECT FROM phone_waits pw
           WHERE pw.account_id = g.account_id AND pw.business_phone_id = g.business_phone_id
             AND pw.probe_at BETWEEN now() AND now() + ${MAX_PROBE_LEAD})`;

/** Why and since when a phone waits. */
export type NewWait = Pick<PhoneWait, 'accountId' | 'businessPhoneId' | 'reason' | 'detail'>;

/**
 * Makes the campaigns of a phone wait, first for a second and then for twice as long each time, at most a minute.
 * Several processes find the same failure at once: only a probe, or a failure after the time of one, makes it longer.
 *
 * @param isProbe whether the failure is that of a probe
 * @returns milliseconds until the next probe; null when the phone waits already, or is gone
 */
export async function beginWait(
  { accountId, businessPhoneId, reason, detail }: NewWait,
  isProbe: boolean,
  db: Database,
): Promise<number | null> {
  const row = await db.row<{ waitMs: number }>(
    `INSERT INTO phone_waits AS w (account_id, business_phone_id, reason, detail, probe_at)
     SELECT p.account_id, p.id, $3, $4, now() + interval '1 second'
     FROM business_phones p WHERE p.account_id = $1 AND p.id = $2
     ON CONFLICT ON CONSTRAINT phone_waits_pkey DO UPDATE
     SET reason = excluded.reason, detail = excluded.detail, probes = least(w.probes + 1, 10),
         probe_at = now() + least(${MAX_DISTANCE_SECONDS}, 2 ^ (w.probes + 1)) * interval '1 second'
     WHERE $5 OR w.probe_at NOT BETWEEN now() AND now() + ${MAX_PROBE_LEAD}
     RETURNING extract(epoch FROM w.probe_at - now())::float8 * 1000 AS wait_ms`,
    [accountId, businessPhoneId, reason, detail, isProbe],
  );
  return row?.waitMs ?? null;
}

/** Whether any phone waits. All tenants. */
export async function anyPhoneWaits(db: Database): Promise<boolean> {
  return (await db.row('SELECT true FROM phone_waits LIMIT 1', [])) !== null;
}

/** The network has answered: the campaigns of the phone go on. */
export function endWait(accountId: string, businessPhoneId: string, db: Database): Promise<number> {
  return db.affected('DELETE FROM phone_waits WHERE account_id = $1 AND business_phone_id = $2', [
    accountId,
    businessPhoneId,
  ]);
}

/** Who may send from a phone: everybody, the process that tries one message, or nobody before the next probe. */
export type ProbeTurn = 'free' | 'probe' | 'wait';

/**
 * Takes the turn to probe a waiting phone, for so many milliseconds; a process that dies in it lets the next one try
 * after that.
 */
export async function takeProbe(
  accountId: string,
  businessPhoneId: string,
  leaseMs: number,
  db: Database,
): Promise<ProbeTurn> {
  const row = await db.row<{ turn: ProbeTurn }>(
    `WITH taken AS (
       UPDATE phone_waits SET probe_at = now() + $3::float8 * interval '1 millisecond'
       WHERE account_id = $1 AND business_phone_id = $2
         AND probe_at NOT BETWEEN now() AND now() + ${MAX_PROBE_LEAD}
       RETURNING true
     )
     SELECT CASE WHEN EXISTS (SELECT FROM taken) THEN 'probe'
                 WHEN EXISTS (SELECT FROM phone_waits WHERE account_id = $1 AND business_phone_id = $2) THEN 'wait'
                 ELSE 'free' END AS turn`,
    [accountId, businessPhoneId, leaseMs],
  );
  return row?.turn ?? 'free';
}

/** Gives the turn to probe back unused. */
export function giveProbeBack(accountId: string, businessPhoneId: string, db: Database): Promise<number> {
  return db.affected('UPDATE phone_waits SET probe_at = now() WHERE account_id = $1 AND business_phone_id = $2', [
    accountId,
    businessPhoneId,
  ]);
}
