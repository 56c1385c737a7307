import type { Tx } from '../database/unit-of-work.js';

/**
 * Counts that a recipient answered or tapped: each recipient counts once, whatever it does (D69). The recipient is
 * locked before its campaign.
 */
export async function countReaction(
  accountId: string,
  recipientId: string,
  reaction: 'replied' | 'clicked',
  tx: Tx,
): Promise<void> {
  const row = await tx.row<{ campaign_id: string }>(
    `UPDATE campaign_recipients SET ${reaction} = true
     WHERE account_id = $1 AND id = $2 AND NOT ${reaction}
     RETURNING campaign_id`,
    [accountId, recipientId],
  );
  if (row === null) return;
  await tx.affected(
    `UPDATE campaigns SET ${reaction}_count = ${reaction}_count + 1 WHERE account_id = $1 AND id = $2`,
    [accountId, row.campaign_id],
  );
}
