import type { Tx } from '../database/unit-of-work.js';
import { MAX_LEAD } from '../network/throughput.queries.js';
import { offsetOf, type Page, type Paged } from '../values/page.js';
import type { Campaign, CampaignStatus } from './campaign.entity.js';
import type { CampaignRecipient } from './campaign-recipient.entity.js';

/** A contact that a new campaign is for. */
export type NewRecipient = Readonly<Pick<CampaignRecipient, 'contactId' | 'personal'>>;

/** Stores the recipients of a new campaign in one statement, in the order in which they are sent to. */
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

/** Whose campaign this is. Only for operators, who name a campaign without its account. */
export async function findAccountOfCampaign(campaignId: string, tx: Tx): Promise<string | null> {
  const row = await tx.row<Pick<Campaign, 'accountId'>>('SELECT account_id FROM campaigns WHERE id = $1', [campaignId]);
  return row?.accountId ?? null;
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
  return (await countAll(accountId, [campaignId], tx))(campaignId);
}

/** Counts several campaigns at once, and answers what gives the counters of each. */
async function countAll(
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

/** What is nobody's business but the service's. */
type Internal = 'accountId' | 'templateId' | 'price' | 'runs' | 'opensAt' | 'closesAt' | 'judgedFrom' | 'knownLimit';

/** A campaign with the language of its template. */
export interface CampaignRow extends Readonly<Omit<Campaign, Internal>> {
  readonly templateLanguage: string;
}

/** A campaign with what is counted of it. */
export interface CountedCampaign {
  readonly campaign: CampaignRow;
  readonly counts: CampaignCounts;
}

const COLUMNS = `g.id, g.name, g.description, g.template_name, t.language AS template_language, g.business_phone_id, g.content,
            g.status, g.paused, g.failure_reason, g.total_contacts, g.scheduled_at, g.scheduled_timezone, g.send_window,
            g.send_before, g.max_failure_percent, g.waiting_until, g.started_at, g.completed_at, g.created_at`;
const JOINED = 'campaigns g JOIN templates t ON t.account_id = g.account_id AND t.id = g.template_id';

/** The campaign, or null when it is unknown or foreign. */
export async function findCampaign(accountId: string, campaignId: string, tx: Tx): Promise<CountedCampaign | null> {
  const campaign = await tx.row<CampaignRow>(`SELECT ${COLUMNS} FROM ${JOINED} WHERE g.account_id = $1 AND g.id = $2`, [
    accountId,
    campaignId,
  ]);
  // Counted after that: of a completed campaign everything is counted.
  return campaign && { campaign, counts: await countCampaign(accountId, campaignId, tx) };
}

/**
 * One page of campaigns, newest first: ids sort by creation time.
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
  const countsOf = await countAll(accountId, ids, tx);
  return { rows: campaigns.map((campaign) => ({ campaign, counts: countsOf(campaign.id) })), total: count?.total ?? 0 };
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
    `UPDATE campaigns SET status = 'running', runs = runs + 1, price = $4, failure_reason = NULL
     WHERE account_id = $1 AND id = $2 AND status = $3
     RETURNING total_contacts`,
    [accountId, campaignId, from, price],
  );
}

/**
 * Completes a running campaign once every recipient has been handed over. Asked after the outcomes are committed, so that
 * whoever commits last sees that nothing is left. The row must be the one that this statement sees recipients of: after a
 * wait for its lock, the campaign may have been completed and started again for recipients that are not seen here.
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

/** What is stopped, and when it no longer is. */
export interface StopConditions {
  /** The states that it is stopped in. */
  readonly from: readonly CampaignStatus[];
  /** The run that is stopped; null: whichever. */
  readonly run: number | null;
}

/** Stops a campaign for good reason; what was sent stays sent. */
export function failCampaign(
  accountId: string,
  campaignId: string,
  reason: string,
  { from, run }: StopConditions,
  tx: Tx,
): Promise<number> {
  return tx.affected(
    `UPDATE campaigns SET status = 'failed', paused = false, failure_reason = $3
     WHERE account_id = $1 AND id = $2 AND status = ANY ($4::text[]) AND ($5::integer IS NULL OR runs = $5)`,
    [accountId, campaignId, reason, from, run],
  );
}

/** Whether campaign `g` may send at this moment. */
export const MAY_SEND = `g.status = 'running' AND NOT g.paused
                       AND (g.opens_at IS NULL OR g.opens_at <= now()) AND (g.closes_at IS NULL OR g.closes_at > now())`;

/** Scheduled campaigns whose time has come, the longest due first. Pipeline statement, all tenants. */
export function findScheduledCampaigns(tx: Tx): Promise<{ accountId: string; id: string }[]> {
  return tx.rows(
    `SELECT account_id, id FROM campaigns
     WHERE status = 'scheduled' AND scheduled_at <= now()
     ORDER BY scheduled_at, id`,
  );
}

/** Running campaigns of which nothing is left to do, as a crash leaves them. All tenants. */
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

/** Cancels a campaign that is not over. */
export function cancelCampaign(accountId: string, campaignId: string, tx: Tx): Promise<number> {
  return tx.affected(
    `UPDATE campaigns SET status = 'cancelled', paused = false
     WHERE account_id = $1 AND id = $2 AND status IN ('draft', 'scheduled', 'running')`,
    [accountId, campaignId],
  );
}

/** Pauses a running campaign: from now on nobody is claimed. */
export function pauseCampaign(accountId: string, campaignId: string, tx: Tx): Promise<number> {
  return tx.affected(
    `UPDATE campaigns SET paused = true WHERE account_id = $1 AND id = $2 AND status = 'running' AND NOT paused`,
    [accountId, campaignId],
  );
}

/** Lets a paused campaign go on. */
export function unpauseCampaign(accountId: string, campaignId: string, tx: Tx): Promise<number> {
  return tx.affected(
    `UPDATE campaigns SET paused = false, failure_reason = NULL, judged_from = now()
     WHERE account_id = $1 AND id = $2 AND status = 'running' AND paused`,
    [accountId, campaignId],
  );
}

/**
 * Running campaigns with recipients to send to right now, whose phone no other process is sending from. All tenants.
 *
 * @param process the one that asks
 * @param active campaigns that it has in hand
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
 * Starts a campaign once more.
 *
 * @param price credits per recipient, for one that stopped before it had sent anything; others keep theirs
 * @returns null when it is in no state from which it may start again
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
