import type { Tx } from '../database/unit-of-work.js';
import type { CampaignContent } from './campaign-content.js';

export type CampaignStatus = 'draft' | 'scheduled' | 'running' | 'completed' | 'cancelled' | 'failed';

/** A campaign as stored. */
export interface CampaignRow {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly template_id: string;
  readonly template_name: string;
  readonly business_phone_id: string;
  readonly content: CampaignContent;
  readonly status: CampaignStatus;
  readonly paused: boolean;
  readonly failure_reason: string | null;
  readonly price: number;
  readonly total_contacts: number;
  readonly sent_count: number;
  readonly delivered_count: number;
  readonly read_count: number;
  readonly clicked_count: number;
  readonly failed_count: number;
  readonly replied_count: number;
  readonly scheduled_at: Date | null;
  readonly scheduled_timezone: string | null;
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
  readonly created_at: Date;
}

/** A campaign to be made. */
export interface NewCampaign {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly templateId: string;
  readonly templateName: string;
  readonly businessPhoneId: string;
  readonly content: CampaignContent;
  readonly status: 'draft' | 'scheduled';
  readonly totalContacts: number;
  readonly scheduledAt: Date | null;
  readonly scheduledTimezone: string | null;
}

const COLUMNS = `id, account_id, name, description, template_id, template_name, business_phone_id, content, status, paused,
       failure_reason, price, total_contacts, sent_count, delivered_count, read_count, clicked_count, failed_count,
       replied_count, scheduled_at, scheduled_timezone, started_at, completed_at, created_at`;

export async function insertCampaign(accountId: string, campaign: NewCampaign, createdAt: Date, tx: Tx): Promise<void> {
  await tx.affected(
    `INSERT INTO campaigns (account_id, id, name, description, template_id, template_name, business_phone_id, content,
                            status, total_contacts, scheduled_at, scheduled_timezone, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      accountId,
      campaign.id,
      campaign.name,
      campaign.description,
      campaign.templateId,
      campaign.templateName,
      campaign.businessPhoneId,
      campaign.content,
      campaign.status,
      campaign.totalContacts,
      campaign.scheduledAt,
      campaign.scheduledTimezone,
      createdAt,
    ],
  );
}

/** Stores the recipients of a new campaign in one statement. */
export async function insertRecipients(
  accountId: string,
  campaignId: string,
  recipientIds: readonly string[],
  contactIds: readonly string[],
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `INSERT INTO campaign_recipients (account_id, id, campaign_id, contact_id)
     SELECT $1, r.id, $2, r.contact_id FROM unnest($3::uuid[], $4::uuid[]) AS r (id, contact_id)`,
    [accountId, campaignId, recipientIds, contactIds],
  );
}

export function findCampaign(accountId: string, campaignId: string, tx: Tx): Promise<CampaignRow | null> {
  return tx.row<CampaignRow>(`SELECT ${COLUMNS} FROM campaigns WHERE account_id = $1 AND id = $2`, [
    accountId,
    campaignId,
  ]);
}

/**
 * Starts a campaign, if it still is in the state in which it may start (D27): of two callers one wins.
 *
 * @param price credits per recipient, fixed from now on
 */
export function startCampaign(
  accountId: string,
  campaignId: string,
  from: 'draft' | 'scheduled',
  price: number,
  tx: Tx,
): Promise<CampaignRow | null> {
  return tx.row<CampaignRow>(
    `UPDATE campaigns SET status = 'running', price = $4, failure_reason = NULL
     WHERE account_id = $1 AND id = $2 AND status = $3
     RETURNING ${COLUMNS}`,
    [accountId, campaignId, from, price],
  );
}

/** Reserves a credit per recipient, if the wallet holds that many; each is a ledger row (D30). */
export async function reserveCredits(
  accountId: string,
  campaignId: string,
  credits: { price: number; total: number },
  tx: Tx,
): Promise<boolean> {
  const taken = await tx.affected('UPDATE wallets SET balance = balance - $2 WHERE account_id = $1 AND balance >= $2', [
    accountId,
    credits.total,
  ]);
  if (taken === 0) return false;
  await tx.affected(
    `INSERT INTO wallet_entries (account_id, id, kind, amount, campaign_id, recipient_id, attempt)
     SELECT $1, gen_random_uuid(), 'reserve', -$3::bigint, $2, r.id, r.round
     FROM campaign_recipients r WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.state = 'pending'`,
    [accountId, campaignId, credits.price],
  );
  return true;
}

export async function walletBalance(accountId: string, tx: Tx): Promise<number> {
  const row = await tx.row<{ balance: number }>('SELECT balance FROM wallets WHERE account_id = $1', [accountId]);
  return row?.balance ?? 0;
}

/**
 * Completes a running campaign once every recipient has been dispatched or has failed. Asked after the outcomes are
 * committed, so that whoever commits last sees that nothing is left.
 */
export function completeCampaign(accountId: string, campaignId: string, tx: Tx): Promise<number> {
  return tx.affected(
    `UPDATE campaigns g SET status = 'completed', completed_at = now(), started_at = coalesce(started_at, now())
     WHERE g.account_id = $1 AND g.id = $2 AND g.status = 'running'
       AND NOT EXISTS (SELECT 1 FROM campaign_recipients r
                       WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.state = 'pending')
       AND NOT EXISTS (SELECT 1 FROM campaign_recipients r
                       WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.state = 'sending')`,
    [accountId, campaignId],
  );
}

/** Stops a running campaign for good reason; what was sent stays sent (D27). */
export function failCampaign(accountId: string, campaignId: string, reason: string, tx: Tx): Promise<number> {
  return tx.affected(
    `UPDATE campaigns SET status = 'failed', failure_reason = $3
     WHERE account_id = $1 AND id = $2 AND status IN ('running', 'scheduled')`,
    [accountId, campaignId, reason],
  );
}

/** Gives back the credits of recipients that were never tried (D30). The campaign's row is locked by the caller. */
export async function refundUntouched(accountId: string, campaignId: string, tx: Tx): Promise<void> {
  await tx.affected(
    `WITH refund AS (
       INSERT INTO wallet_entries (account_id, id, kind, amount, campaign_id, recipient_id, attempt)
       SELECT $1, gen_random_uuid(), 'refund', g.price, g.id, r.id, r.round
       FROM campaign_recipients r JOIN campaigns g ON g.account_id = r.account_id AND g.id = r.campaign_id
       WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.state = 'pending' AND g.price > 0
       ON CONFLICT ON CONSTRAINT wallet_entries_movement_key DO NOTHING
       RETURNING amount
     )
     UPDATE wallets SET balance = balance + (SELECT coalesce(sum(amount), 0) FROM refund) WHERE account_id = $1`,
    [accountId, campaignId],
  );
}
