import type { Database } from '../database/unit-of-work.js';

/** A campaign's counters. */
export interface CampaignCounts {
  readonly sent: number;
  readonly delivered: number;
  readonly read: number;
  readonly clicked: number;
  readonly failed: number;
  readonly replied: number;
  /** Held back by the network for now. */
  readonly held: number;
}

/** Reads a campaign's counters, including changes not yet folded into the totals. */
export async function countCampaign(accountId: string, campaignId: string, db: Database): Promise<CampaignCounts> {
  return (await countCampaigns(accountId, [campaignId], db))(campaignId);
}

/** Reads the counters of several campaigns with one statement; returns a lookup by campaign id. */
export async function countCampaigns(
  accountId: string,
  campaignIds: readonly string[],
  db: Database,
): Promise<(campaignId: string) => CampaignCounts> {
  const rows = await db.rows<{ campaignId: string; counter: string; amount: number }>(
    `SELECT subject_id AS campaign_id, counter, sum(amount)::integer AS amount FROM counter_amounts
     WHERE account_id = $1 AND subject_id = ANY ($2::uuid[])
       AND counter IN ('campaign.sent', 'campaign.delivered', 'campaign.read', 'campaign.clicked', 'campaign.failed',
                       'campaign.replied', 'campaign.held')
     GROUP BY subject_id, counter`,
    [accountId, campaignIds],
  );
  const amounts = new Map(rows.map(({ campaignId, counter, amount }) => [`${campaignId} ${counter}`, amount]));
  return (campaignId) => {
    const amountOf = (name: keyof CampaignCounts): number => amounts.get(`${campaignId} campaign.${name}`) ?? 0;
    return {
      sent: amountOf('sent'),
      delivered: amountOf('delivered'),
      read: amountOf('read'),
      clicked: amountOf('clicked'),
      failed: amountOf('failed'),
      replied: amountOf('replied'),
      // A process of the release before this one does not count what it stores as held.
      held: Math.max(0, amountOf('held')),
    };
  };
}
