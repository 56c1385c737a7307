import type { Database, Tx } from '../../database/unit-of-work.js';
import { MESSAGE_ERRORS } from '../../errors/error-catalog.js';
import { oldestMessageOf } from '../../messages/history/message-history.queries.js';
import { REACHED, RETRIED, SEEN } from '../../messages/message-status.js';
import { classOf, MARKETING_CAP_REACHED, stoppedBy } from '../../network/network-codes.js';
import type { CampaignStatus } from '../campaign.entity.js';
import { refundPending } from '../planning/campaign-credits.queries.js';
import { MESSAGES_PER_ROW } from '../planning/campaign-opening.queries.js';

/** Codes of failures that are ours; see MESSAGE_ERRORS. */
const isOurs = (code: number): boolean => code >= 900_000 && code < 901_000;
const OURS: ReadonlySet<number> = new Set([
  MESSAGE_ERRORS.networkUnavailable.code,
  MESSAGE_ERRORS.retriesExhausted.code,
  MESSAGE_ERRORS.failedWithoutCode.code,
]);
/**
 * Whether a failure is worth a retry with a new message: the network asked to try later, everything was stopped, or
 * nobody knows what the code means. Errors about the contact or our request would recur, and an unknown outcome may have
 * been a success.
 *
 * @param isRepeated whether the code stopped the campaign by repeating itself, so that its cause was to be mended
 */
export function isWorthRetrying({ code, isRepeated }: Pick<Failures, 'code' | 'isRepeated'>): boolean {
  if (isRepeated) return true;
  if (isOurs(code)) return OURS.has(code);
  const kind = classOf({ code });
  return kind === 'retry' || kind === 'unknown' || stoppedBy(kind) !== null;
}

/** Which failed recipients to retry. */
export interface RetriedFailures {
  /** Those that failed with one of these codes. */
  readonly codes: readonly number[];
  /** Those that failed with {@link MARKETING_CAP_REACHED} until then, and were not retried after it; null: none. */
  readonly cappedBefore: Date | null;
}

/**
 * Makes recipients with a retryable failure pending again, as untouched as at the start, so that the claim gives them a
 * new message. What their messages had counted, as `countsOf` says of failed ones, is taken back. Messages are locked
 * and then judged by their latest row: a concurrent status report either wins, and its recipient is not retried, or it
 * finds the recipient already retried.
 *
 * @returns how many were retried; each needs a new credit, since the one for its last message was spent or refunded
 */
export async function retryFailed(
  accountId: string,
  campaignId: string,
  { codes, cappedBefore }: RetriedFailures,
  tx: Tx,
): Promise<number> {
  const row = await tx.row<{ retried: number }>(
    `WITH failed AS MATERIALIZED (
       SELECT m.id, m.seen, m.error_code, r.contact_id
       FROM campaign_recipients r
       JOIN messages m ON m.account_id = r.account_id AND m.id = r.message_id
       WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.state = 'claimed'
         AND m.campaign_id = $2 AND m.id >= $3
         AND m.status = 'failed'
         AND (m.error_code = ANY ($4::integer[])
              OR m.error_code = ${MARKETING_CAP_REACHED} AND m.failed_at <= $5 AND NOT r.cap_retried)
       ORDER BY m.id
       FOR UPDATE OF m
     ), retried AS (
       UPDATE campaign_recipients r
       SET state = 'pending', message_id = NULL, attempts = 0, credit_returned = false,
           cap_retried = r.cap_retried OR failed.error_code = ${MARKETING_CAP_REACHED}
       FROM failed
       WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.contact_id = failed.contact_id AND r.state = 'claimed'
         AND r.message_id = failed.id
       RETURNING failed.id, failed.seen
     ), marked AS (
       UPDATE messages m SET seen = m.seen | ${RETRIED} FROM retried
       WHERE m.account_id = $1 AND m.id = retried.id AND m.id >= $3
     ), counted AS (
       INSERT INTO counter_changes (account_id, counter, subject_id, amount)
       SELECT $1, c.counter, $2, -count(*)
       FROM retried
       CROSS JOIN LATERAL (VALUES ('campaign.sent', (retried.seen & ${REACHED.sent}) <> 0),
                                  ('campaign.failed', (retried.seen & ${SEEN.cancelled}) = 0)) AS c (counter, counts)
       WHERE c.counts
       GROUP BY c.counter
     )
     SELECT count(*)::integer AS retried FROM retried`,
    [accountId, campaignId, oldestMessageOf(campaignId), codes, cappedBefore],
  );
  return row?.retried ?? 0;
}

/** The recipients of a campaign that failed with one code. */
export interface Failures {
  readonly code: number;
  readonly count: number;
  /** Whether it stopped the campaign by repeating itself. */
  readonly isRepeated: boolean;
  /** Those of them that were not retried after {@link MARKETING_CAP_REACHED}, and when the first of these failed. */
  readonly untried: number;
  readonly firstUntriedAt: Date | null;
}

/**
 * Counts the failed recipients of a campaign by code, the most frequent first. Messages are looked up one by one:
 * `OFFSET 0` keeps the planner from joining in another way where its statistics are older than the account.
 */
export function countFailures(accountId: string, campaignId: string, db: Database): Promise<Failures[]> {
  return db.rows<Failures>(
    `SELECT m.error_code AS code, count(*)::integer AS count,
            m.error_code = ANY (SELECT unnest(repeated_codes) FROM campaigns WHERE account_id = $1 AND id = $2) AS is_repeated,
            count(*) FILTER (WHERE NOT r.cap_retried)::integer AS untried,
            min(m.failed_at) FILTER (WHERE NOT r.cap_retried) AS first_untried_at
     FROM campaign_recipients r CROSS JOIN LATERAL (
       SELECT k.status, k.error_code, k.failed_at FROM messages k
       WHERE k.account_id = $1 AND k.id = r.message_id AND k.id >= $3 OFFSET 0
     ) m
     WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.state = 'claimed' AND m.status = 'failed'
       AND m.error_code IS NOT NULL
     GROUP BY m.error_code
     ORDER BY count DESC, code`,
    [accountId, campaignId, oldestMessageOf(campaignId)],
  );
}

/**
 * Releases recipients that came back to a campaign that does not run any more. One that has failed keeps them for its
 * resume; otherwise nobody would claim them again. The caller has locked the campaign.
 */
export async function release(
  accountId: string,
  campaignId: string,
  status: CampaignStatus | null,
  tx: Tx,
): Promise<void> {
  if (status === 'running') return;
  if (status === 'failed') await refundPending(accountId, campaignId, tx);
  else await giveUpPostponed(accountId, campaignId, tx);
}

/**
 * Gives up recipients waiting for a retry in a campaign that has ended for good. Their messages were provably not sent,
 * and the sweep fails them as such. If the campaign was cancelled, they are cancelled. The caller has locked the campaign.
 */
export async function giveUpPostponed(accountId: string, campaignId: string, tx: Tx): Promise<void> {
  await tx.affected(
    `WITH given_up AS (
       UPDATE campaign_recipients r
       SET state = CASE g.status WHEN 'cancelled' THEN 'cancelled' ELSE 'claimed' END, due_at = NULL
       FROM campaigns g
       WHERE g.account_id = $1 AND g.id = $2
         AND r.account_id = $1 AND r.campaign_id = $2 AND r.state = 'pending' AND r.message_id IS NOT NULL
       RETURNING r.message_id
     ), part AS (
       SELECT message_id, row_number() OVER () / ${MESSAGES_PER_ROW} AS number FROM given_up
     )
     INSERT INTO sends_in_flight (account_id, id, campaign_id, message_ids, settle_at, unsent)
     SELECT $1, new_record_id(), $2, array_agg(message_id), now(), true FROM part GROUP BY number`,
    [accountId, campaignId],
  );
}
