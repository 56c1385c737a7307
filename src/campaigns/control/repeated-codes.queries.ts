import type { Database } from '../../database/unit-of-work.js';
import { MIN_OWN_ERROR_CODE } from '../../errors/error-catalog.js';
import { oldestMessageOf } from '../../messages/history/message-history.queries.js';
import { answeredAt } from '../../messages/message-status.js';
import type { Campaign } from '../campaign.entity.js';

/** So many answered recipients in a row that failed for one and the same reason stop a campaign. */
export const REPEATED_IN_A_ROW = 20;

/**
 * The run of a running campaign whose latest answered recipients, in the order of their message ids, all failed with one
 * code; null when they did not. Messages of earlier runs and those that we refused ourselves do not count.
 */
export function findRepeatedCode(
  accountId: string,
  campaignId: string,
  code: number,
  db: Database,
): Promise<Pick<Campaign, 'accountId' | 'id' | 'runs'> | null> {
  return db.row(
    `WITH latest AS (
       SELECT m.error_code
       FROM messages m
       WHERE m.account_id = $1 AND m.campaign_id = $2 AND m.id >= $3 AND m.seen <> 0
         AND (m.status <> 'failed' OR m.error_code < ${MIN_OWN_ERROR_CODE})
         AND ${answeredAt('m')} > (SELECT coalesce(judged_from, '-infinity') FROM campaigns WHERE account_id = $1 AND id = $2)
       ORDER BY m.id DESC
       LIMIT ${REPEATED_IN_A_ROW}
     )
     SELECT account_id, id, runs FROM campaigns
     WHERE account_id = $1 AND id = $2 AND status = 'running'
       AND (SELECT count(*) FILTER (WHERE error_code = $4) FROM latest) = ${REPEATED_IN_A_ROW}`,
    [accountId, campaignId, oldestMessageOf(campaignId), code],
  );
}

/** Notes that those who failed with a code may be sent to again, although it would fail for others again. */
export function allowRetryOf(accountId: string, campaignId: string, code: number, db: Database): Promise<number> {
  return db.affected(
    `UPDATE campaigns SET repeated_codes = repeated_codes || $3::integer
     WHERE account_id = $1 AND id = $2 AND NOT repeated_codes @> ARRAY[$3::integer]`,
    [accountId, campaignId, code],
  );
}
