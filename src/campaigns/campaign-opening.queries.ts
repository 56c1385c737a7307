import type { Tx } from '../database/unit-of-work.js';
import type { Campaign } from './campaign.entity.js';

/** Campaigns whose time to send is over for now, or for good. Pipeline statement, all tenants. */
export function findClosedCampaigns(tx: Tx): Promise<Pick<Campaign, 'accountId' | 'id'>[]> {
  return tx.rows(
    `SELECT account_id, id FROM campaigns
     WHERE closes_at <= now() AND (status = 'running' OR status = 'failed' AND send_before <= now())`,
  );
}

/** A campaign whose time to send is over. */
export interface ClosedCampaign extends Pick<Campaign, 'status' | 'sendWindow' | 'sendBefore' | 'scheduledTimezone'> {
  /** By the clock that decides about claims. */
  readonly at: Date;
}

/** Locks a campaign whose time to send is over; null when it may send, or somebody else is at it. */
export function lockClosedCampaign(accountId: string, campaignId: string, tx: Tx): Promise<ClosedCampaign | null> {
  return tx.row<ClosedCampaign>(
    `SELECT status, send_window, send_before, scheduled_timezone, now() AS at FROM campaigns
     WHERE account_id = $1 AND id = $2 AND closes_at <= now() AND status IN ('running', 'failed')
     FOR NO KEY UPDATE SKIP LOCKED`,
    [accountId, campaignId],
  );
}

/** Stores when a campaign may send next: from `opensAt`, null for at once, until `closesAt`, null for ever. */
export async function setOpening(
  accountId: string,
  campaignId: string,
  { opensAt, closesAt }: Pick<Campaign, 'opensAt' | 'closesAt'>,
  tx: Tx,
): Promise<void> {
  await tx.affected('UPDATE campaigns SET opens_at = $3, closes_at = $4 WHERE account_id = $1 AND id = $2', [
    accountId,
    campaignId,
    opensAt,
    closesAt,
  ]);
}

/** Somebody who has not been sent to. */
export interface UnsentRecipient {
  readonly contactId: string;
  /** Null for people who hide it. */
  readonly phoneNumber: string | null;
}

/** Everybody whom a campaign has not sent to. */
export function findUnsentRecipients(accountId: string, campaignId: string, tx: Tx): Promise<UnsentRecipient[]> {
  return tx.rows<UnsentRecipient>(
    `SELECT r.contact_id, c.phone_number
     FROM campaign_recipients r JOIN contacts c ON c.account_id = r.account_id AND c.id = r.contact_id
     WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.state = 'pending'`,
    [accountId, campaignId],
  );
}

/** Keeps recipients from being claimed before a time of their own; another try that is due later stays so. */
export async function holdRecipients(
  accountId: string,
  campaignId: string,
  held: readonly { readonly contactId: string; readonly until: Date }[],
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `UPDATE campaign_recipients r SET due_at = greatest(r.due_at, h.until)
     FROM unnest($3::uuid[], $4::timestamptz[]) AS h (contact_id, until)
     WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.contact_id = h.contact_id AND r.state = 'pending'
       AND (r.due_at IS NULL OR r.due_at < h.until)`,
    [accountId, campaignId, held.map(({ contactId }) => contactId), held.map(({ until }) => until)],
  );
}

/** Messages in one row in flight. */
const CANCELLED_TOGETHER = 200;

/** Cancels everybody who has not been sent to. The sweep settles the messages of those who were tried before. */
export async function cancelUnsent(accountId: string, campaignId: string, tx: Tx): Promise<void> {
  await tx.affected(
    `WITH cancelled AS (
       UPDATE campaign_recipients SET state = 'cancelled', due_at = NULL
       WHERE account_id = $1 AND campaign_id = $2 AND state = 'pending'
       RETURNING message_id
     ), part AS (
       SELECT message_id, row_number() OVER () / ${CANCELLED_TOGETHER} AS number FROM cancelled
       WHERE message_id IS NOT NULL
     )
     INSERT INTO sends_in_flight (account_id, id, campaign_id, message_ids, settle_at, unsent)
     SELECT $1, new_record_id(), $2, array_agg(message_id), now(), true FROM part GROUP BY number`,
    [accountId, campaignId],
  );
}
