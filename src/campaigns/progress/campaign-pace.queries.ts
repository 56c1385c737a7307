import { lowestIdAt } from '../../database/schema/partitions.js';
import type { Database } from '../../database/unit-of-work.js';
import { MINUTE, now, SECOND } from '../../values/clock.js';
import type { Campaign } from '../campaign.entity.js';
import { ACCEPTED_AT } from './campaign-progress.queries.js';

/** How far back acceptances are counted, seconds. */
const MEASURED = 10;
/**
 * How old a message may be when it is accepted, for its acceptance to be counted. Most are accepted within a second; the
 * rest waited for a slow network or for another attempt.
 */
const MAX_AGE_MS = 5 * MINUTE;

/** How fast a campaign is sent. */
export interface CampaignPace {
  /** Messages that the network accepted in the last ten seconds, per second, to one decimal; null unless it is sending. */
  readonly ratePerSecond: number | null;
  /** How long the pending recipients take at that rate, rounded up; null when nothing is sent. */
  readonly secondsLeft: number | null;
}

/** Measures how fast a running campaign is sent now. A paused one has no pace. */
export async function paceOf(
  accountId: string,
  { id, status, paused }: Pick<Campaign, 'id' | 'status' | 'paused'>,
  db: Database,
): Promise<CampaignPace> {
  if (status !== 'running' || paused) return { ratePerSecond: null, secondsLeft: null };
  const at = now();
  const since = new Date(at.getTime() - MEASURED * SECOND);
  const row = await db.row<{ accepted: number; pending: number }>(
    `SELECT (SELECT count(*)::integer FROM messages m
             WHERE m.account_id = $1 AND m.campaign_id = $2 AND m.id >= $3 AND ${ACCEPTED_AT} > $4) AS accepted,
            (SELECT count(*)::integer FROM campaign_recipients r
             WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.state = 'pending') AS pending`,
    [accountId, id, lowestIdAt(new Date(since.getTime() - MAX_AGE_MS)), since],
  );
  const accepted = row?.accepted ?? 0;
  return {
    ratePerSecond: accepted / MEASURED,
    secondsLeft: accepted === 0 ? null : Math.ceil(((row?.pending ?? 0) * MEASURED) / accepted),
  };
}
