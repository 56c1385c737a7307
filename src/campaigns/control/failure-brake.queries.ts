import type { Database, Tx } from '../../database/unit-of-work.js';
import { MIN_OWN_ERROR_CODE } from '../../errors/error-catalog.js';
import { answeredAt } from '../../messages/message-status.js';
import { MARKETING_CAP_REACHED } from '../../network/network-codes.js';
import type { Campaign } from '../campaign.entity.js';

/** Consecutive recipients over which the failure rate is measured. */
export const SAMPLE_SIZE = 100;
/**
 * The newest recipients examined in one check. It is much larger than the sample, because many batches may be recorded
 * between two checks and none of their failures may be missed.
 */
const MAX_EXAMINED = 1000;

/** Nearly all campaigns have a failure limit, and few have failures enough for a look at their messages. */
const BRAKED = `campaigns g
     WHERE g.status = 'running' AND NOT g.paused AND g.max_failure_percent > 0
       AND (SELECT sum(a.amount) FROM counter_amounts a
            WHERE a.account_id = g.account_id AND a.subject_id = g.id AND a.counter = 'campaign.failed')
           > g.max_failure_percent * ${SAMPLE_SIZE} / 100`;
/** A look: whether any running campaign may exceed its failure limit. */
export const BRAKED_CAMPAIGN = `SELECT true FROM ${BRAKED} ORDER BY g.account_id, g.id LIMIT 1`;

/** Running campaigns that may exceed their failure limit. Pipeline statement, all tenants. */
export function findCampaignsWithBrake(db: Database): Promise<Pick<Campaign, 'accountId' | 'id'>[]> {
  return db.rows(`SELECT g.account_id, g.id FROM ${BRAKED}`);
}

/** The worst failure rate among a campaign's latest recipients. */
export interface Judgement {
  /** Failures in the worst sample of {@link SAMPLE_SIZE}. */
  readonly failed: number;
  /** The most common error message. */
  readonly reason: string;
  /** From when on recipients were judged, as PostgreSQL writes it; a campaign that is resumed meanwhile begins anew. */
  readonly judgedFrom: string | null;
}

/**
 * Finds the worst hundred in a row among a campaign's latest recipients, in message order. Only messages that the
 * network accepted or refused count, including those that failed after being accepted. Messages we refused ourselves are
 * ignored, and so are recipients who get too much marketing, which says nothing about this campaign.
 *
 * @param oldest lower bound for the campaign's message ids, which limits the partitions to read
 * @returns null when no hundred in a row exceeds `max_failure_percent`
 */
export function judgeRecipients(
  accountId: string,
  campaignId: string,
  oldest: string,
  db: Database,
): Promise<Judgement | null> {
  return db.row<Judgement>(
    `WITH answered AS MATERIALIZED (
       SELECT m.id, m.error_message, m.status = 'failed' AS failed
       FROM messages m
       WHERE m.account_id = $1 AND m.campaign_id = $2 AND m.id >= $3 AND m.seen <> 0
         AND (m.status <> 'failed' OR m.error_code < ${MIN_OWN_ERROR_CODE} AND m.error_code <> ${MARKETING_CAP_REACHED})
         AND ${answeredAt('m')} > (SELECT coalesce(judged_from, '-infinity') FROM campaigns WHERE account_id = $1 AND id = $2)
       ORDER BY m.id DESC
       LIMIT ${MAX_EXAMINED}
     ), hundred AS (
       SELECT count(*) OVER last AS answered, count(*) FILTER (WHERE failed) OVER last AS failed
       FROM answered
       WINDOW last AS (ORDER BY id ROWS ${SAMPLE_SIZE - 1} PRECEDING)
     ), worst AS (
       SELECT max(failed)::integer AS failed FROM hundred WHERE answered = ${SAMPLE_SIZE}
     )
     SELECT w.failed, g.judged_from::text, (SELECT mode() WITHIN GROUP (ORDER BY error_message) FROM answered WHERE failed) AS reason
     FROM worst w JOIN campaigns g ON g.account_id = $1 AND g.id = $2
     WHERE g.max_failure_percent > 0 AND w.failed * 100 > g.max_failure_percent * ${SAMPLE_SIZE}`,
    [accountId, campaignId, oldest],
  );
}

/**
 * Pauses a campaign because of its failures, unless it was resumed since they were counted. They no longer count when it
 * is resumed.
 */
export function pauseForFailures(
  accountId: string,
  campaignId: string,
  reason: string,
  judgedFrom: string | null,
  tx: Tx,
): Promise<number> {
  return tx.affected(
    `UPDATE campaigns
     SET paused = true, paused_at = now(), paused_by = NULL, paused_source = NULL, failure_reason = $3, judged_from = now()
     WHERE account_id = $1 AND id = $2 AND status = 'running' AND NOT paused
       AND judged_from IS NOT DISTINCT FROM $4::timestamptz`,
    [accountId, campaignId, reason, judgedFrom],
  );
}
