import type { StoredRestrictions } from '../../accounts/restrictions.js';
import type { Database, Tx } from '../../database/unit-of-work.js';
import type { Campaign } from '../campaign.entity.js';

/** Messages per row of `sends_in_flight` when many are given up together. */
export const MESSAGES_PER_ROW = 200;

const WITH_TERMS = `campaigns g
     LEFT JOIN business_phones p ON p.account_id = g.account_id AND p.id = g.business_phone_id
     LEFT JOIN business_accounts b ON b.account_id = p.account_id AND b.waba_id = p.waba_id`;
/** Condition: campaign `g` has closed, or its deadline has passed: its own, or the end of its offer. */
const HAS_CLOSED = `g.closes_at <= now()
       AND (g.status = 'running' OR g.status = 'failed' AND (g.send_before <= now() OR g.offer_ends_at <= now()))`;
/** Condition: the messaging limit or the restrictions have changed since the opening of campaign `g` was planned. */
const HAS_OTHER_TERMS = `g.status = 'running' AND (b.messaging_limit IS DISTINCT FROM g.known_limit
                                                   OR b.restrictions IS DISTINCT FROM g.known_restrictions)`;

/** A look: whether any campaign has closed, or what binds it has changed. */
export const CLOSED_CAMPAIGN = `SELECT coalesce(
       (SELECT true FROM campaigns g WHERE ${HAS_CLOSED} ORDER BY g.closes_at LIMIT 1),
       (SELECT true FROM ${WITH_TERMS} WHERE ${HAS_OTHER_TERMS} ORDER BY g.account_id, g.id LIMIT 1))`;

/** Campaigns that have closed, or whose limit or restrictions have changed. Pipeline statement, all tenants. */
export function findClosedCampaigns(db: Database): Promise<Pick<Campaign, 'accountId' | 'id'>[]> {
  return db.rows(
    `SELECT g.account_id, g.id FROM campaigns g WHERE ${HAS_CLOSED}
     UNION
     SELECT g.account_id, g.id FROM ${WITH_TERMS} WHERE ${HAS_OTHER_TERMS}`,
  );
}

/** A campaign whose next opening must be planned. */
export interface ClosedCampaign
  extends Pick<
    Campaign,
    | 'businessPhoneId'
    | 'status'
    | 'paused'
    | 'runs'
    | 'sendWindow'
    | 'scheduledTimezone'
    | 'knownLimit'
    | 'knownRestrictions'
  > {
  /** Recipients not sent to by then are cancelled; null: no deadline. */
  readonly deadline: Date | null;
  /** Its portfolio's messaging limit, in people per 24 hours; null while unknown. */
  readonly messagingLimit: number | null;
  readonly portfolioId: string | null;
  /** What the network says about its business; null if its phone is gone. */
  readonly restrictions: StoredRestrictions | null;
  /** The number of its phone. */
  readonly phone: string | null;
  /** The category of its template, which is never deleted. */
  readonly category: string;
  /** The database's clock, which also decides what may be claimed. */
  readonly at: Date;
}

/** Locks such a campaign; null when it needs no new opening, or another process has it locked. */
export function lockClosedCampaign(accountId: string, campaignId: string, tx: Tx): Promise<ClosedCampaign | null> {
  return tx.row<ClosedCampaign>(
    `SELECT g.business_phone_id, g.status, g.paused, g.runs, g.send_window,
            least(g.send_before, g.offer_ends_at) AS deadline, g.scheduled_timezone, g.known_limit,
            g.known_restrictions, b.messaging_limit, coalesce(b.portfolio_id, b.waba_id) AS portfolio_id, b.restrictions,
            p.phone, t.category, now() AS at
     FROM ${WITH_TERMS}
     JOIN templates t ON t.account_id = g.account_id AND t.id = g.template_id
     WHERE g.account_id = $1 AND g.id = $2 AND (${HAS_CLOSED} OR ${HAS_OTHER_TERMS})
     FOR NO KEY UPDATE OF g SKIP LOCKED`,
    [accountId, campaignId],
  );
}

/** When a campaign may send next: from `opensAt` (null: now) until `closesAt` (null: no end). */
export type StoredOpening = Pick<
  Campaign,
  'opensAt' | 'closesAt' | 'waitingUntil' | 'waitingReason' | 'knownLimit' | 'knownRestrictions'
>;

export async function setOpening(
  accountId: string,
  campaignId: string,
  { opensAt, closesAt, waitingUntil, waitingReason, knownLimit, knownRestrictions }: StoredOpening,
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `UPDATE campaigns
     SET opens_at = $3, closes_at = $4, waiting_until = $5, waiting_reason = $6, known_limit = $7,
         known_restrictions = $8::jsonb
     WHERE account_id = $1 AND id = $2`,
    [
      accountId,
      campaignId,
      opensAt,
      closesAt,
      waitingUntil,
      waitingReason,
      knownLimit,
      knownRestrictions && JSON.stringify(knownRestrictions),
    ],
  );
}

/**
 * Closes a running campaign, so that the sweep plans its recipients again: one of them had to be put back because it may
 * not be sent to now. Comes before any lock on the campaign.
 */
export async function closeEarly(accountId: string, campaignId: string, tx: Tx): Promise<void> {
  await tx.affected(
    `UPDATE campaigns SET closes_at = now()
     WHERE account_id = $1 AND id = $2 AND status = 'running' AND (closes_at > now()) IS NOT FALSE`,
    [accountId, campaignId],
  );
}

/** Whether a worker is sending messages of the campaign. */
export async function isInFlight(accountId: string, campaignId: string, tx: Tx): Promise<boolean> {
  const row = await tx.row(
    `SELECT true AS found FROM sends_in_flight
     WHERE account_id = $1 AND campaign_id = $2 AND lease_until IS NOT NULL LIMIT 1`,
    [accountId, campaignId],
  );
  return row !== null;
}

/** A recipient who has not been sent to. */
export interface UnsentRecipient {
  readonly contactId: string;
  /** Null for people who hide their number. */
  readonly phoneNumber: string | null;
  /** Whether an earlier attempt provably sent nothing. */
  readonly isTried: boolean;
}

/** All unsent recipients of a campaign, in sending order. */
export function findUnsentRecipients(accountId: string, campaignId: string, tx: Tx): Promise<UnsentRecipient[]> {
  return tx.rows<UnsentRecipient>(
    `SELECT r.contact_id, c.phone_number, r.message_id IS NOT NULL AS is_tried
     FROM campaign_recipients r JOIN contacts c ON c.account_id = r.account_id AND c.id = r.contact_id
     WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.state = 'pending'
     ORDER BY r.position`,
    [accountId, campaignId],
  );
}

/** The `due_at` of recipients who wait for something that may never come: that somebody lifts a restriction. */
export const NEVER = new Date('9999-12-31T00:00:00Z');

/** When an unsent recipient may be claimed. */
export interface PlannedRecipient {
  readonly contactId: string;
  /** Not claimed before this time; null: may be claimed now. */
  readonly dueAt: Date | null;
  readonly isAdmitted: boolean;
}

/** Stores when each recipient may be claimed. A retry that is due later keeps its time, unless that was planned, too. */
export async function planRecipients(
  accountId: string,
  campaignId: string,
  planned: readonly PlannedRecipient[],
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `UPDATE campaign_recipients r
     SET due_at = CASE WHEN r.message_id IS NULL OR r.held THEN n.due_at ELSE greatest(r.due_at, n.due_at) END,
         held = n.due_at IS NOT NULL AND (r.held OR r.message_id IS NULL OR (r.due_at > n.due_at) IS NOT TRUE),
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

/** Cancels all unsent recipients. The sweep settles the messages of those who were tried before. */
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
