import type { Tx } from '../../database/unit-of-work.js';
import type { Campaign } from '../campaign.entity.js';

const WITH_LIMIT = `campaigns g
     LEFT JOIN business_phones p ON p.account_id = g.account_id AND p.id = g.business_phone_id
     LEFT JOIN business_accounts b ON b.account_id = p.account_id AND b.waba_id = p.waba_id`;
/** Whether a campaign has closed, or its deadline is over. */
const HAS_CLOSED = `g.closes_at <= now() AND (g.status = 'running' OR g.status = 'failed' AND g.send_before <= now())`;
/** Whether it was opened under another messaging limit. */
const HAS_ANOTHER_LIMIT = `g.status = 'running' AND b.messaging_limit IS DISTINCT FROM g.known_limit`;

/** Campaigns that may not send any more, or under another limit. Pipeline statement, all tenants. */
export function findClosedCampaigns(tx: Tx): Promise<Pick<Campaign, 'accountId' | 'id'>[]> {
  return tx.rows(
    `SELECT g.account_id, g.id FROM campaigns g WHERE ${HAS_CLOSED}
     UNION
     SELECT g.account_id, g.id FROM ${WITH_LIMIT} WHERE ${HAS_ANOTHER_LIMIT}`,
  );
}

/** A campaign of which it is time to find out when it may send. */
export interface ClosedCampaign
  extends Pick<
    Campaign,
    'businessPhoneId' | 'status' | 'sendWindow' | 'sendBefore' | 'scheduledTimezone' | 'knownLimit'
  > {
  /** The limit of its portfolio; null while unknown. */
  readonly messagingLimit: number | null;
  readonly portfolioId: string | null;
  /** By the clock that decides about claims. */
  readonly at: Date;
}

/** Locks such a campaign; null when it may send, or somebody else is at it. */
export function lockClosedCampaign(accountId: string, campaignId: string, tx: Tx): Promise<ClosedCampaign | null> {
  return tx.row<ClosedCampaign>(
    `SELECT g.business_phone_id, g.status, g.send_window, g.send_before, g.scheduled_timezone, g.known_limit,
            b.messaging_limit, coalesce(b.portfolio_id, b.waba_id) AS portfolio_id, now() AS at
     FROM ${WITH_LIMIT}
     WHERE g.account_id = $1 AND g.id = $2 AND (${HAS_CLOSED} OR ${HAS_ANOTHER_LIMIT})
     FOR NO KEY UPDATE OF g SKIP LOCKED`,
    [accountId, campaignId],
  );
}

/** When a campaign may send next: from `opensAt`, null for at once, until `closesAt`, null for ever. */
export type StoredOpening = Pick<Campaign, 'opensAt' | 'closesAt' | 'waitingUntil' | 'knownLimit'>;

export async function setOpening(
  accountId: string,
  campaignId: string,
  { opensAt, closesAt, waitingUntil, knownLimit }: StoredOpening,
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `UPDATE campaigns SET opens_at = $3, closes_at = $4, waiting_until = $5, known_limit = $6
     WHERE account_id = $1 AND id = $2`,
    [accountId, campaignId, opensAt, closesAt, waitingUntil, knownLimit],
  );
}

/** Somebody who has not been sent to. */
export interface UnsentRecipient {
  readonly contactId: string;
  /** Null for people who hide it. */
  readonly phoneNumber: string | null;
  /** Whether it was tried before, and provably not sent to. */
  readonly isTried: boolean;
}

/** Everybody whom a campaign has not sent to, in the order in which they are sent to. */
export function findUnsentRecipients(accountId: string, campaignId: string, tx: Tx): Promise<UnsentRecipient[]> {
  return tx.rows<UnsentRecipient>(
    `SELECT r.contact_id, c.phone_number, r.message_id IS NOT NULL AS is_tried
     FROM campaign_recipients r JOIN contacts c ON c.account_id = r.account_id AND c.id = r.contact_id
     WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.state = 'pending'
     ORDER BY r.position`,
    [accountId, campaignId],
  );
}

/** What becomes of somebody who has not been sent to. */
export interface PlannedRecipient {
  readonly contactId: string;
  /** Not to be claimed before; null: at once. */
  readonly dueAt: Date | null;
  readonly isAdmitted: boolean;
}

/** Stores who may be claimed when. Another try that is due later stays so. */
export async function planRecipients(
  accountId: string,
  campaignId: string,
  planned: readonly PlannedRecipient[],
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `UPDATE campaign_recipients r
     SET due_at = CASE WHEN r.message_id IS NULL THEN n.due_at ELSE greatest(r.due_at, n.due_at) END,
         admitted = n.admitted
     FROM unnest($3::uuid[], $4::timestamptz[], $5::boolean[]) AS n (contact_id, due_at, admitted)
     WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.contact_id = n.contact_id AND r.state = 'pending'
       AND (r.due_at IS DISTINCT FROM n.due_at OR r.admitted <> n.admitted)`,
    [
      accountId,
      campaignId,
      planned.map(({ contactId }) => contactId),
      planned.map(({ dueAt }) => dueAt),
      planned.map(({ isAdmitted }) => isAdmitted),
    ],
  );
}

/** Messages in one row in flight. */
const MESSAGES_PER_ROW = 200;

/** Cancels everybody who has not been sent to. The sweep settles the messages of those who were tried before. */
export async function cancelUnsent(accountId: string, campaignId: string, tx: Tx): Promise<void> {
  await tx.affected(
    `WITH cancelled AS (
       UPDATE campaign_recipients SET state = 'cancelled', due_at = NULL
       WHERE account_id = $1 AND campaign_id = $2 AND state = 'pending'
       RETURNING message_id
     ), part AS (
       SELECT message_id, row_number() OVER () / ${MESSAGES_PER_ROW} AS number FROM cancelled
       WHERE message_id IS NOT NULL
     )
     INSERT INTO sends_in_flight (account_id, id, campaign_id, message_ids, settle_at, unsent)
     SELECT $1, new_record_id(), $2, array_agg(message_id), now(), true FROM part GROUP BY number`,
    [accountId, campaignId],
  );
}
