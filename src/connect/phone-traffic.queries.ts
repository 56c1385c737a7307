import { lowestIdAt } from '../database/schema/partitions.js';
import type { Database } from '../database/unit-of-work.js';
import { REPORTED, SEEN } from '../messages/message-status.js';
import { DAY, HOUR } from '../values/clock.js';
import { UNPAID } from './flow-checks.js';
import type { TrafficFacts } from './readings.js';

/** How long a phone may send without a report, milliseconds. */
const SILENCE_MS = HOUR;
/** Messages of the account that are looked at, from before that hour and from within it. */
const MAX_MESSAGES = 5000;

interface TrafficRow extends TrafficFacts {
  readonly businessPhoneId: string;
}

/**
 * What was heard of each phone of an account in the last day. A phone is silent if its latest message that was accepted an
 * hour ago or earlier has no report, and no report says anything from after that. Messages that the network holds back are
 * not reported yet, so they prove nothing. Those that a campaign was refused for want of payment wait for its resume without
 * an error: the campaign names it. It reads the newest messages only, so that it costs the same whatever an
 * account sends.
 */
export async function findTraffic(
  accountId: string,
  now: Date,
  db: Database,
): Promise<ReadonlyMap<string, TrafficFacts>> {
  const aDayAgo = new Date(now.getTime() - DAY);
  const anHourAgo = new Date(now.getTime() - SILENCE_MS);
  const rows = await db.rows<TrafficRow>(
    `WITH recent AS (
       (SELECT * FROM messages WHERE account_id = $1 AND id >= $2 AND id < $3 ORDER BY id DESC LIMIT $5)
       UNION ALL
       (SELECT * FROM messages WHERE account_id = $1 AND id >= $3 ORDER BY id DESC LIMIT $5)
     ), heard AS (
       SELECT business_phone_id, bool_or(direction = 'in' OR seen & $6 <> 0) AS is_heard,
              max(greatest(sent_at, delivered_at, read_at, CASE WHEN seen & $7 <> 0 THEN failed_at END))
                FILTER (WHERE seen & $6 <> 0) AS reported_at,
              max(coalesce(failed_at, created_at)) FILTER (WHERE error_code = $8) AS unpaid_at
       FROM recent GROUP BY business_phone_id
     ), latest AS (
       SELECT DISTINCT ON (business_phone_id) business_phone_id, accepted_at, seen FROM recent
       WHERE direction = 'out' AND accepted_at <= $4 AND seen & $9 = $10
       ORDER BY business_phone_id, accepted_at DESC
     ), unpaid AS (
       SELECT business_phone_id, max(completed_at) AS at FROM campaigns
       WHERE account_id = $1 AND status = 'failed' AND completed_at >= $11 AND failure_reason LIKE '%(' || $8::integer || ': %'
       GROUP BY business_phone_id
     )
     SELECT business_phone_id, h.is_heard, greatest(h.unpaid_at, u.at) AS unpaid_at,
            CASE WHEN l.seen & $6 = 0 AND (h.reported_at >= l.accepted_at) IS NOT TRUE THEN l.accepted_at END AS silent_since
     FROM heard h LEFT JOIN latest l USING (business_phone_id) LEFT JOIN unpaid u USING (business_phone_id)`,
    [
      accountId,
      lowestIdAt(aDayAgo),
      lowestIdAt(anHourAgo),
      anHourAgo,
      MAX_MESSAGES,
      REPORTED,
      SEEN.failed,
      UNPAID,
      SEEN.accepted | SEEN.held,
      SEEN.accepted,
      aDayAgo,
    ],
  );
  return new Map(rows.map(({ businessPhoneId, ...traffic }) => [businessPhoneId, traffic]));
}

/** What is known of a phone that neither sent nor received anything in the last day. */
export const NO_TRAFFIC: TrafficFacts = { silentSince: null, isHeard: false, unpaidAt: null };
