import type { Tx } from '../../database/unit-of-work.js';
import { OWN_ERRORS_FROM } from '../../errors/error-catalog.js';
import type { Campaign } from '../campaign.entity.js';

/** Recipients that are judged together. */
export const SAMPLE_SIZE = 100;
/**
 * Recipients that one look takes in: those that the batches recorded since the last look may hold, on top of those judged
 * together. Many batches are recorded at once, and none of their failures may be missed.
 */
const MAX_EXAMINED = 1000;

/** Running campaigns that pause themselves when too many fail. Pipeline statement, all tenants. */
export function findCampaignsWithBrake(tx: Tx): Promise<Pick<Campaign, 'accountId' | 'id'>[]> {
  return tx.rows(
    `SELECT account_id, id FROM campaigns
     WHERE status = 'running' AND NOT paused AND max_failure_percent IS NOT NULL`,
  );
}

/** What the worst hundred of a campaign's latest recipients came to. */
export interface Judgement {
  /** How many of {@link SAMPLE_SIZE} failed. */
  readonly failed: number;
  /** The most frequent reason among all that failed. */
  readonly reason: string;
}

/**
 * Judges the latest recipients of a campaign, in the order of their messages, that the network accepted or refused: of every
 * hundred in a row how many failed for a reason of the network. A message that failed after it was accepted counts as one
 * that failed. What we refused ourselves is left out.
 *
 * @param oldest no message of the campaign is older than this id: it keeps other partitions shut
 * @returns null when no hundred has more failures than `max_failure_percent` allows
 */
export function judgeRecipients(
  accountId: string,
  campaignId: string,
  oldest: string,
  tx: Tx,
): Promise<Judgement | null> {
  return tx.row<Judgement>(
    `WITH answered AS MATERIALIZED (
       SELECT m.id, m.error_message, m.status = 'failed' AS failed
       FROM messages m
       WHERE m.account_id = $1 AND m.campaign_id = $2 AND m.id >= $3 AND m.seen <> 0
         AND (m.status <> 'failed' OR m.error_code < ${OWN_ERRORS_FROM})
         AND m.created_at > (SELECT coalesce(judged_from, '-infinity') FROM campaigns WHERE account_id = $1 AND id = $2)
       ORDER BY m.id DESC
       LIMIT ${MAX_EXAMINED}
     ), hundred AS (
       SELECT count(*) OVER last AS answered, count(*) FILTER (WHERE failed) OVER last AS failed
       FROM answered
       WINDOW last AS (ORDER BY id ROWS ${SAMPLE_SIZE - 1} PRECEDING)
     ), worst AS (
       SELECT max(failed)::integer AS failed FROM hundred WHERE answered = ${SAMPLE_SIZE}
     )
     SELECT w.failed, (SELECT mode() WITHIN GROUP (ORDER BY error_message) FROM answered WHERE failed) AS reason
     FROM worst w JOIN campaigns g ON g.account_id = $1 AND g.id = $2
     WHERE w.failed * 100 > g.max_failure_percent * ${SAMPLE_SIZE}`,
    [accountId, campaignId, oldest],
  );
}

/** Pauses a campaign for its failures, which do not count again once it is resumed. */
export function pauseForFailures(accountId: string, campaignId: string, reason: string, tx: Tx): Promise<number> {
  return tx.affected(
    `UPDATE campaigns SET paused = true, failure_reason = $3, judged_from = now()
     WHERE account_id = $1 AND id = $2 AND status = 'running' AND NOT paused`,
    [accountId, campaignId, reason],
  );
}
