import type { Tx } from '../../database/unit-of-work.js';

/** A recipient of a campaign. */
export interface RecipientKey {
  readonly campaignId: string;
  readonly contactId: string;
}

/**
 * Counts a reply or a button tap; each recipient counts at most once per kind. A tap is also a reply, and the caller counts
 * it as one first.
 *
 * @param at when they replied; the message that they tapped has the time of the tap
 */
export async function countReaction(
  accountId: string,
  { campaignId, contactId }: RecipientKey,
  reaction: 'replied' | 'clicked',
  at: Date,
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `WITH reacted AS (
       UPDATE campaign_recipients
       SET ${reaction} = true, replied_at = CASE WHEN replied THEN replied_at ELSE $4::timestamptz END
       WHERE account_id = $1 AND campaign_id = $2 AND contact_id = $3 AND NOT ${reaction}
       RETURNING campaign_id
     )
     INSERT INTO counter_changes (account_id, counter, subject_id, amount)
     SELECT $1, 'campaign.${reaction}', campaign_id, 1 FROM reacted`,
    [accountId, campaignId, contactId, at],
  );
}
