import type { Tx } from '../database/unit-of-work.js';
import { MAX_LEAD } from '../network/throughput.queries.js';
import { offsetOf, type Page, type Paged } from '../values/page.js';
import type { Campaign, CampaignStatus } from './campaign.entity.js';
import type { CampaignRecipient } from './campaign-recipient.entity.js';

/** A recipient of a new campaign. */
export type NewRecipient = Readonly<Pick<CampaignRecipient, 'contactId' | 'personal'>>;

/** Stores the recipients of a new campaign, in sending order, with one statement. */
export async function insertRecipients(
  accountId: string,
  campaignId: string,
  recipients: readonly NewRecipient[],
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `INSERT INTO campaign_recipients (account_id, campaign_id, contact_id, position, personal)
     SELECT $1, $2, r.contact_id, r.place - 1, r.personal::jsonb
     FROM unnest($3::uuid[], $4::text[]) WITH ORDINALITY AS r (contact_id, personal, place)`,
    [
      accountId,
      campaignId,
      recipients.map(({ contactId }) => contactId),
      recipients.map(({ personal }) => (personal === null ? null : JSON.stringify(personal))),
    ],
  );
}

/** The account a campaign belongs to. For operator commands only, which name a campaign without its account. */
export async function findAccountOfCampaign(campaignId: string, tx: Tx): Promise<string | null> {
  const row = await tx.row<Pick<Campaign, 'accountId'>>('SELECT account_id FROM campaigns WHERE id = $1', [campaignId]);
  return row?.accountId ?? null;
}

/** A campaign's counters. */
export interface CampaignCounts {
  readonly sent: number;
  readonly delivered: number;
  readonly read: number;
  readonly clicked: number;
  readonly failed: number;
  readonly replied: number;
}

/** Reads a campaign's counters, including changes not yet folded into the totals. */
export async function countCampaign(accountId: string, campaignId: string, tx: Tx): Promise<CampaignCounts> {
  return (await countCampaigns(accountId, [campaignId], tx))(campaignId);
}

/** Reads the counters of several campaigns with one statement; returns a lookup by campaign id. */
async function countCampaigns(
  accountId: string,
  campaignIds: readonly string[],
  tx: Tx,
): Promise<(campaignId: string) => CampaignCounts> {
  const rows = await tx.rows<{ campaignId: string; counter: string; amount: number }>(
    `SELECT subject_id AS campaign_id, counter, sum(amount)::integer AS amount FROM counter_amounts
     WHERE account_id = $1 AND subject_id = ANY ($2::uuid[])
       AND counter IN ('campaign.sent', 'campaign.delivered', 'campaign.read', 'campaign.clicked', 'campaign.failed',
                       'campaign.replied')
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
    };
  };
}

/** Columns that never leave the service. */
type Internal = 'accountId' | 'templateId' | 'price' | 'runs' | 'opensAt' | 'closesAt' | 'judgedFrom' | 'knownLimit';

/** A campaign with the language of its template. */
export interface CampaignRow extends Readonly<Omit<Campaign, Internal>> {
  readonly templateLanguage: string;
}

/** A campaign with its counters. */
export interface CountedCampaign {
  readonly campaign: CampaignRow;
  readonly counts: CampaignCounts;
}

const COLUMNS = `g.id, g.name, g.description, g.template_name, t.language AS template_language, g.business_phone_id, g.content,
            g.status, g.paused, g.failure_reason, g.total_contacts, g.scheduled_at, g.scheduled_timezone, g.send_window,
            g.send_before, g.max_failure_percent, g.waiting_until, g.started_at, g.completed_at, g.created_at`;
const JOINED = 'campaigns g JOIN templates t ON t.account_id = g.account_id AND t.id = g.template_id';

/** The campaign, or null when it does not exist or belongs to another account. */
export async function findCampaign(accountId: string, campaignId: string, tx: Tx): Promise<CountedCampaign | null> {
  const campaign = await tx.row<CampaignRow>(`SELECT ${COLUMNS} FROM ${JOINED} WHERE g.account_id = $1 AND g.id = $2`, [
    accountId,
    campaignId,
  ]);
  // Read the counters second: once a campaign is seen as completed, all its outcomes are counted.
  return campaign && { campaign, counts: await countCampaign(accountId, campaignId, tx) };
}

/**
 * One page of campaigns, newest first. Ids sort by creation time.
 *
 * @param status null: any
 */
export async function listCampaigns(
  accountId: string,
  status: CampaignStatus | null,
  page: Page,
  tx: Tx,
): Promise<Paged<CountedCampaign>> {
  const where = `WHERE g.account_id = $1${status === null ? '' : ' AND g.status = $2'}`;
  const parameters = [accountId, ...(status === null ? [] : [status])];
  const [count, campaigns] = await Promise.all([
    tx.row<{ total: number }>(`SELECT count(*)::integer AS total FROM campaigns g ${where}`, parameters),
    tx.rows<CampaignRow>(
      `SELECT ${COLUMNS} FROM ${JOINED} ${where}
       ORDER BY g.id DESC LIMIT $${parameters.length + 1} OFFSET $${parameters.length + 2}`,
      [...parameters, page.limit, offsetOf(page)],
    ),
  ]);
  const ids = campaigns.map(({ id }) => id);
  const countsOf = await countCampaigns(accountId, ids, tx);
  return { rows: campaigns.map((campaign) => ({ campaign, counts: countsOf(campaign.id) })), total: count?.total ?? 0 };
}

/**
 * Starts a campaign if it is still in the status `from`, so that only one of two concurrent callers wins.
 *
 * @param price credits per recipient, fixed from now on
 * @returns null when another caller was faster
 */
export function startCampaign(
  accountId: string,
  campaignId: string,
  from: 'draft' | 'scheduled',
  price: number,
  tx: Tx,
): Promise<Pick<Campaign, 'totalContacts'> | null> {
  return tx.row(
    `UPDATE campaigns SET status = 'running', runs = runs + 1, price = $4, failure_reason = NULL
     WHERE account_id = $1 AND id = $2 AND status = $3
     RETURNING total_contacts`,
    [accountId, campaignId, from, price],
  );
}

/**
 * Completes a running campaign that has no pending recipients and no batch under lease. Callers run it after committing
 * outcomes, so the last one to commit sees that nothing is left.
 *
 * The `ctid` check requires the campaign row of this statement's snapshot. While the statement waits for the row lock,
 * the campaign may be completed and restarted, with pending recipients that this snapshot does not see; then nothing
 * must be updated.
 */
export function completeCampaign(accountId: string, campaignId: string, tx: Tx): Promise<number> {
  return tx.affected(
    `UPDATE campaigns g
     SET status = 'completed', paused = false, completed_at = now(), started_at = coalesce(started_at, now())
     WHERE g.account_id = $1 AND g.id = $2 AND g.status = 'running'
       AND g.ctid = (SELECT ctid FROM campaigns WHERE account_id = $1 AND id = $2)
       AND NOT EXISTS (SELECT FROM campaign_recipients r
                       WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.state = 'pending')
       AND NOT EXISTS (SELECT FROM sends_in_flight f
                       WHERE f.account_id = $1 AND f.campaign_id = $2 AND f.lease_until IS NOT NULL)`,
    [accountId, campaignId],
  );
}

/** Conditions for stopping a campaign; when one does not hold, nothing happens. */
export interface StopConditions {
  /** Statuses from which it may be stopped. */
  readonly from: readonly CampaignStatus[];
  /** The run to stop; null: any. */
  readonly run: number | null;
}

/** Marks a campaign as failed and stores the reason. */
export function failCampaign(
  accountId: string,
  campaignId: string,
  reason: string,
  { from, run }: StopConditions,
  tx: Tx,
): Promise<number> {
  return tx.affected(
    `UPDATE campaigns SET status = 'failed', paused = false, failure_reason = $3, completed_at = now()
     WHERE account_id = $1 AND id = $2 AND status = ANY ($4::text[]) AND ($5::integer IS NULL OR runs = $5)`,
    [accountId, campaignId, reason, from, run],
  );
}

/** Condition: campaign `g` may send now. */
export const MAY_SEND = `g.status = 'running' AND NOT g.paused
                       AND (g.opens_at IS NULL OR g.opens_at <= now()) AND (g.closes_at IS NULL OR g.closes_at > now())`;

/** Scheduled campaigns that are due, the longest overdue first. Pipeline statement, all tenants. */
export function findScheduledCampaigns(tx: Tx): Promise<{ accountId: string; id: string }[]> {
  return tx.rows(
    `SELECT account_id, id FROM campaigns
     WHERE status = 'scheduled' AND scheduled_at <= now()
     ORDER BY scheduled_at, id`,
  );
}

/** Running campaigns with nothing left to do, as a crash may leave them. All tenants. */
export function findFinishedCampaigns(tx: Tx): Promise<{ accountId: string; id: string }[]> {
  return tx.rows(
    `SELECT g.account_id, g.id FROM campaigns g
     WHERE g.status = 'running'
       AND NOT EXISTS (SELECT FROM campaign_recipients r
                       WHERE r.account_id = g.account_id AND r.campaign_id = g.id AND r.state = 'pending')
       AND NOT EXISTS (SELECT FROM sends_in_flight f
                       WHERE f.account_id = g.account_id AND f.campaign_id = g.id AND f.lease_until IS NOT NULL)`,
  );
}

/** Cancels a campaign unless it has ended. */
export function cancelCampaign(accountId: string, campaignId: string, tx: Tx): Promise<number> {
  return tx.affected(
    `UPDATE campaigns SET status = 'cancelled', paused = false, completed_at = now()
     WHERE account_id = $1 AND id = $2 AND status IN ('draft', 'scheduled', 'running')`,
    [accountId, campaignId],
  );
}

/** Pauses a running campaign: no more recipients are claimed. */
export function pauseCampaign(accountId: string, campaignId: string, tx: Tx): Promise<number> {
  return tx.affected(
    `UPDATE campaigns SET paused = true WHERE account_id = $1 AND id = $2 AND status = 'running' AND NOT paused`,
    [accountId, campaignId],
  );
}

/** Resumes a paused campaign; failures before now no longer count toward its limit. */
export function unpauseCampaign(accountId: string, campaignId: string, tx: Tx): Promise<number> {
  return tx.affected(
    `UPDATE campaigns SET paused = false, failure_reason = NULL, judged_from = now()
     WHERE account_id = $1 AND id = $2 AND status = 'running' AND paused`,
    [accountId, campaignId],
  );
}

/**
 * Running campaigns with recipients due now, except those whose phone another process is sending from. All tenants.
 *
 * @param process the calling process
 * @param active campaigns it is sending already
 */
export function findDueCampaigns(
  process: string,
  active: readonly string[],
  tx: Tx,
): Promise<{ accountId: string; id: string }[]> {
  return tx.rows(
    `SELECT g.account_id, g.id
     FROM campaigns g
     LEFT JOIN phone_throughput t ON t.account_id = g.account_id AND t.business_phone_id = g.business_phone_id
     WHERE ${MAY_SEND} AND g.id <> ALL ($2::uuid[])
       AND (t.owner IS NULL OR t.owner = $1
            OR t.owned_until NOT BETWEEN clock_timestamp() AND clock_timestamp() + ${MAX_LEAD})
       AND EXISTS (SELECT FROM campaign_recipients r
                   WHERE r.account_id = g.account_id AND r.campaign_id = g.id AND r.state = 'pending'
                     AND (r.due_at IS NULL OR r.due_at <= now()))`,
    [process, active],
  );
}

/**
 * Restarts a campaign that has ended. It stays closed until its next opening is planned.
 *
 * @param price credits per recipient, used only if the campaign never sent anything; otherwise it keeps its price
 * @returns null when its status is not one of `from`
 */
export function restartCampaign(
  accountId: string,
  campaignId: string,
  from: readonly CampaignStatus[],
  price: number,
  tx: Tx,
): Promise<Pick<Campaign, 'price'> | null> {
  return tx.row(
    `UPDATE campaigns
     SET status = 'running', runs = runs + 1, completed_at = NULL, failure_reason = NULL, judged_from = now(), closes_at = now(),
         price = CASE WHEN started_at IS NULL THEN $4 ELSE price END
     WHERE account_id = $1 AND id = $2 AND status = ANY ($3::text[])
     RETURNING price`,
    [accountId, campaignId, from, price],
  );
}
