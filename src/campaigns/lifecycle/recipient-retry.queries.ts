import type { Tx } from '../../database/unit-of-work.js';
import { oldestMessageOf } from '../../messages/history/message-history.queries.js';
import { RETRIED } from '../../messages/reports/message-status.js';
import { RETRYABLE_ERRORS } from '../progress/recipient-errors.js';

/**
 * Makes recipients with a retryable failure pending again, as untouched as at the start, so that the claim gives them a
 * new message. Their failures are no longer counted. Messages are locked and then judged by their latest row: a
 * concurrent status report either wins, and its recipient is not retried, or it finds the recipient already retried.
 *
 * @returns how many were retried; each needs a new credit, since the one for its last message was spent or refunded
 */
export async function retryFailed(accountId: string, campaignId: string, tx: Tx): Promise<number> {
  const row = await tx.row<{ retried: number }>(
    `WITH failed AS MATERIALIZED (
       SELECT m.id, r.contact_id
       FROM campaign_recipients r
       JOIN messages m ON m.account_id = r.account_id AND m.id = r.message_id
       WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.state = 'claimed'
         AND m.campaign_id = $2 AND m.id >= $3
         AND m.status = 'failed' AND m.error_code = ANY ($4::integer[])
       ORDER BY m.id
       FOR UPDATE OF m
     ), retried AS (
       UPDATE campaign_recipients r
       SET state = 'pending', message_id = NULL, attempts = 0, first_attempt_at = NULL, credit_returned = false
       FROM failed
       WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.contact_id = failed.contact_id AND r.state = 'claimed'
         AND r.message_id = failed.id
       RETURNING failed.id
     ), marked AS (
       UPDATE messages m SET seen = m.seen | ${RETRIED} FROM retried
       WHERE m.account_id = $1 AND m.id = retried.id AND m.id >= $3
     ), counted AS (
       INSERT INTO counter_changes (account_id, counter, subject_id, amount)
       SELECT $1, 'campaign.failed', $2, -count(*) FROM retried HAVING count(*) > 0
     )
     SELECT count(*)::integer AS retried FROM retried`,
    [accountId, campaignId, oldestMessageOf(campaignId), RETRYABLE_ERRORS],
  );
  return row?.retried ?? 0;
}
