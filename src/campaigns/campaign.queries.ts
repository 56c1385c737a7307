import type { Tx } from '../database/unit-of-work.js';
import type { Campaign } from './campaign.entity.js';

/** Stores the recipients of a new campaign in one statement, in the order in which they are sent to. */
export async function insertRecipients(
  accountId: string,
  campaignId: string,
  contactIds: readonly string[],
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `INSERT INTO campaign_recipients (account_id, campaign_id, contact_id, position)
     SELECT $1, $2, r.contact_id, r.place - 1 FROM unnest($3::uuid[]) WITH ORDINALITY AS r (contact_id, place)`,
    [accountId, campaignId, contactIds],
  );
}

/** What is counted of a campaign's recipients. */
export interface CampaignCounts {
  readonly sent: number;
  readonly delivered: number;
  readonly read: number;
  readonly clicked: number;
  readonly failed: number;
  readonly replied: number;
}

/** The counters of a campaign, exact at this moment. */
export async function countCampaign(accountId: string, campaignId: string, tx: Tx): Promise<CampaignCounts> {
  const rows = await tx.rows<{ counter: string; amount: number }>(
    `SELECT counter, sum(amount)::integer AS amount FROM counter_amounts
     WHERE account_id = $1 AND subject_id = $2
       AND counter IN ('campaign.sent', 'campaign.delivered', 'campaign.read', 'campaign.clicked', 'campaign.failed',
                       'campaign.replied')
     GROUP BY counter`,
    [accountId, campaignId],
  );
  const amounts = new Map(rows.map(({ counter, amount }) => [counter, amount]));
  const amountOf = (name: keyof CampaignCounts): number => amounts.get(`campaign.${name}`) ?? 0;
  return {
    sent: amountOf('sent'),
    delivered: amountOf('delivered'),
    read: amountOf('read'),
    clicked: amountOf('clicked'),
    failed: amountOf('failed'),
    replied: amountOf('replied'),
  };
}

/**
 * Starts a campaign, if it still is in the state in which it may start: of two callers one wins.
 *
 * @param price credits per recipient, fixed from now on
 * @returns null when somebody else was faster
 */
export function startCampaign(
  accountId: string,
  campaignId: string,
  from: 'draft' | 'scheduled',
  price: number,
  tx: Tx,
): Promise<Pick<Campaign, 'totalContacts'> | null> {
  return tx.row(
    `UPDATE campaigns SET status = 'running', price = $4, failure_reason = NULL
     WHERE account_id = $1 AND id = $2 AND status = $3
     RETURNING total_contacts`,
    [accountId, campaignId, from, price],
  );
}

/**
 * Completes a running campaign once every recipient has been handed over. Asked after the outcomes are committed, so that
 * whoever commits last sees that nothing is left.
 */
export function completeCampaign(accountId: string, campaignId: string, tx: Tx): Promise<number> {
  return tx.affected(
    `UPDATE campaigns g SET status = 'completed', completed_at = now(), started_at = coalesce(started_at, now())
     WHERE g.account_id = $1 AND g.id = $2 AND g.status = 'running'
       AND NOT EXISTS (SELECT FROM campaign_recipients r
                       WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.state = 'pending')
       AND NOT EXISTS (SELECT FROM sends_in_flight f
                       WHERE f.account_id = $1 AND f.campaign_id = $2 AND f.lease_until IS NOT NULL)`,
    [accountId, campaignId],
  );
}

/** Stops a running campaign for good reason; what was sent stays sent. */
export function failCampaign(accountId: string, campaignId: string, reason: string, tx: Tx): Promise<number> {
  return tx.affected(
    `UPDATE campaigns SET status = 'failed', failure_reason = $3
     WHERE account_id = $1 AND id = $2 AND status IN ('running', 'scheduled')`,
    [accountId, campaignId, reason],
  );
}

/** Whether campaign `g` may send at this moment. */
export const MAY_SEND = `g.status = 'running' AND NOT g.paused
                       AND (g.opens_at IS NULL OR g.opens_at <= now()) AND (g.closes_at IS NULL OR g.closes_at > now())`;

/** Running campaigns, and whether they have recipients to send to right now. Pipeline statement, all tenants. */
export function findRunningCampaigns(tx: Tx): Promise<{ accountId: string; id: string; due: boolean }[]> {
  return tx.rows(
    `SELECT g.account_id, g.id,
            ${MAY_SEND} AND EXISTS (SELECT FROM campaign_recipients r
                                     WHERE r.account_id = g.account_id AND r.campaign_id = g.id AND r.state = 'pending'
                                       AND (r.due_at IS NULL OR r.due_at <= now())) AS due
     FROM campaigns g WHERE g.status = 'running'`,
  );
}
