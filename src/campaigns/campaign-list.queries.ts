import { NEWEST_ID_FIRST } from '../database/sql/list-order.js';
import { cutRows, type Positioned } from '../database/sql/page-sql.js';
import type { Database } from '../database/unit-of-work.js';
import { idsOfPerson, survivorOfId } from '../people/merged-contact.queries.js';
import type { Page, Paged } from '../values/page.js';
import type { RecordId } from '../values/record-id.js';
import { CAMPAIGN_STATUSES, type Campaign, type CampaignStatus } from './campaign.entity.js';
import { type CampaignCounts, countCampaign, countCampaigns } from './campaign-counts.queries.js';

/** Columns that never leave the service. */
type Internal =
  | 'accountId'
  | 'templateId'
  | 'code'
  | 'price'
  | 'runs'
  | 'opensAt'
  | 'closesAt'
  | 'judgedFrom'
  | 'repeatedCodes'
  | 'knownLimit'
  | 'knownRestrictions';

/** A campaign with the language of its template, and the names of those who created, started and paused it. */
export interface CampaignRow extends Readonly<Omit<Campaign, Internal>> {
  readonly templateLanguage: string;
  readonly createdByName: string | null;
  readonly startedByName: string | null;
  readonly pausedByName: string | null;
}

/** A campaign with its counters. */
export interface CountedCampaign {
  readonly campaign: CampaignRow;
  readonly counts: CampaignCounts;
}

const PLANNED = 'g.waiting_reason IS NOT NULL AND (g.waiting_until IS NULL OR g.waiting_until > now())';
/**
 * What campaign `g` waits for: its window, the messaging limit or a restriction, as planned, or else its phone, whose next
 * try is a moment away when its time has passed.
 */
export const WAIT = `CASE WHEN ${PLANNED} THEN g.waiting_reason ELSE w.reason END AS waiting_reason,
            CASE WHEN ${PLANNED} THEN g.waiting_until WHEN w.probe_at > now() THEN w.probe_at END AS waiting_until`;
const COLUMNS = `g.id, g.name, g.description, g.template_name, t.language AS template_language, g.business_phone_id, g.content,
            g.status, g.paused, g.failure_reason, g.total_contacts, g.scheduled_at, g.scheduled_timezone, g.send_window,
            g.send_before, g.max_failure_percent, ${WAIT}, g.started_at, g.completed_at, g.created_at, g.group_names,
            g.invalid_phones, g.duplicates, g.created_by, g.created_source, g.started_by, g.started_source,
            g.paused_at, g.paused_by, g.paused_source,
            (SELECT u.full_name FROM users u WHERE u.id = g.created_by) AS created_by_name,
            (SELECT u.full_name FROM users u WHERE u.id = g.started_by) AS started_by_name,
            (SELECT u.full_name FROM users u WHERE u.id = g.paused_by) AS paused_by_name`;
const JOINED = `campaigns g JOIN templates t ON t.account_id = g.account_id AND t.id = g.template_id
     LEFT JOIN phone_waits w ON w.account_id = g.account_id AND w.business_phone_id = g.business_phone_id`;

/** The campaign, or null when it does not exist or belongs to another account. */
export async function findCampaign(
  accountId: string,
  campaignId: string,
  db: Database,
): Promise<CountedCampaign | null> {
  const campaign = await db.row<CampaignRow>(`SELECT ${COLUMNS} FROM ${JOINED} WHERE g.account_id = $1 AND g.id = $2`, [
    accountId,
    campaignId,
  ]);
  // Read the counters second: once a campaign is seen as completed, all its outcomes are counted.
  return campaign && { campaign, counts: await countCampaign(accountId, campaignId, db) };
}

/** Filters of a list of campaigns; null means any. */
export interface CampaignFilter {
  readonly status: CampaignStatus | null;
  /** Any part of the name, or of that of the template. */
  readonly search: string | null;
  /** Those created from this time on. */
  readonly since: Date | null;
  /** Those that have this contact among their recipients. */
  readonly contactId: RecordId | null;
}

/** One page of campaigns. */
export interface ListedCampaigns extends Paged<CountedCampaign> {
  /** How many campaigns have each status, of those that match the other filters. */
  readonly byStatus: Readonly<Record<CampaignStatus, number>>;
}

/** One page of campaigns, newest first. Ids sort by creation time. */
export async function listCampaigns(
  accountId: string,
  { status, search, since, contactId }: CampaignFilter,
  page: Page,
  db: Database,
): Promise<ListedCampaigns> {
  const parameters: unknown[] = [accountId];
  const conditions = ['g.account_id = $1'];
  if (since !== null) conditions.push(`g.created_at >= $${parameters.push(since)}`);
  if (search !== null) {
    const pattern = `(SELECT search_pattern($${parameters.push(search)}))`;
    conditions.push(`(search_text(g.name) LIKE ${pattern} OR search_text(g.template_name) LIKE ${pattern})`);
  }
  if (contactId !== null) {
    const ids = idsOfPerson(survivorOfId(`$${parameters.push(contactId)}`));
    conditions.push(
      `EXISTS (SELECT FROM campaign_recipients r
               WHERE r.account_id = $1 AND r.campaign_id = g.id AND r.contact_id = ANY (${ids}))`,
    );
  }
  const matching = `WHERE ${conditions.join(' AND ')}`;
  const counted = [...parameters];
  const ofStatus = status === null ? '' : `AND g.status = $${parameters.push(status)}`;
  const [counts, campaigns] = await Promise.all([
    db.rows<{ status: CampaignStatus; count: number }>(
      `SELECT g.status, count(*)::integer AS count FROM campaigns g ${matching} GROUP BY g.status`,
      counted,
    ),
    db.rows<Positioned<CampaignRow>>(
      `SELECT ${COLUMNS}, ${NEWEST_ID_FIRST.position('g')} FROM ${JOINED} ${matching} ${ofStatus}
       ${NEWEST_ID_FIRST.pageOf(page, `$${parameters.length + 1}`, `$${parameters.length + 2}`, 'g')}`,
      [...parameters, ...NEWEST_ID_FIRST.parameters(page)],
    ),
  ]);
  const { rows, next } = cutRows(campaigns, page);
  const countsOf = await countCampaigns(
    accountId,
    rows.map(({ id }) => id),
    db,
  );
  const found = new Map(counts.map((row) => [row.status, row.count]));
  const byStatus = Object.fromEntries(CAMPAIGN_STATUSES.map((each) => [each, found.get(each) ?? 0]));
  const total = [...found].reduce((sum, [each, count]) => sum + (status === null || status === each ? count : 0), 0);
  return {
    rows: rows.map((campaign) => ({ campaign, counts: countsOf(campaign.id) })),
    total,
    next,
    byStatus: byStatus as Record<CampaignStatus, number>,
  };
}
