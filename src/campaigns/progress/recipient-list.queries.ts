import type { Database } from '../../database/unit-of-work.js';
import { oldestMessageOf } from '../../messages/history/message-history.queries.js';
import type { LadderRow } from '../../messages/history/message-timeline.js';
import type { Message } from '../../messages/message.entity.js';
import { cutToPage, type Page, type Paged, type Position } from '../../values/page.js';
import type { CampaignRecipient } from '../campaign-recipient.entity.js';
import {
  CONTACT,
  MESSAGE,
  RECIPIENT_STATUSES,
  RecipientConditions,
  type RecipientFilter,
  type RecipientStatus,
  SENDING_ORDER,
  STATUS,
} from './recipient-filter.js';

/** The times of a recipient's message; all null before there is one. */
type MessageTimes = { readonly [Column in keyof Omit<LadderRow, 'createdAt'>]: LadderRow[Column] | null };

/** A recipient with the status and the times of its latest message. */
export interface RecipientRow
  extends Readonly<Pick<CampaignRecipient, 'contactId' | 'position' | 'messageId' | 'attempts' | 'repliedAt'>>,
    Readonly<Pick<Message, 'errorCode' | 'errorMessage'>>,
    MessageTimes {
  readonly contactPhone: string | null;
  readonly contactUserId: string | null;
  readonly firstName: string;
  readonly lastName: string | null;
  readonly status: RecipientStatus;
  /** When its message was made. */
  readonly attemptedAt: Date | null;
}

/** How many recipients have each status. */
export type RecipientCounts = Readonly<Record<RecipientStatus, number>>;

/** A page of recipients. */
export interface RecipientPage extends Paged<RecipientRow> {
  /** Of all that the search finds, whatever else the filter says; null in a walk. */
  readonly counts: RecipientCounts | null;
}

/** The rows of the CTE `page`, in `order`. */
const shown = (
  order: string,
  more = '',
): string => `SELECT c.id AS contact_id, r.position, c.phone_number AS contact_phone,
            c.user_id AS contact_user_id, c.first_name, c.last_name, r.message_id, r.attempts, r.replied_at,
            ${STATUS} AS status, m.error_code,
            CASE WHEN coalesce(c.erased_at, o.erased_at) IS NULL THEN m.error_message END AS error_message,
            m.created_at AS attempted_at, m.seen, m.accepted_at, m.sent_at, m.delivered_at, m.read_at, m.clicked_at,
            m.failed_at${more}
     FROM page r
     ${CONTACT}
     ${MESSAGE}
     ${order}`;

/**
 * One page of a campaign's recipients. What the filter and the order need is looked up for all recipients, the rest for
 * this page only.
 */
export async function listRecipients(
  accountId: string,
  campaignId: string,
  filter: RecipientFilter,
  page: Page,
  db: Database,
): Promise<RecipientPage> {
  const parameters: unknown[] = [accountId, campaignId, oldestMessageOf(campaignId)];
  const place = (value: unknown): string => `$${parameters.push(value)}`;
  const conditions = new RecipientConditions(filter, place);
  const { order, needles } = conditions;
  const [limit, start] = order.parameters(page);
  const counting = [...parameters];
  const [counts, found] = await Promise.all([
    page.cursor === undefined ? countRecipients(conditions, counting, db) : countChosen(conditions, counting, db),
    db.rows<RecipientRow & { readonly place: Position }>(
      `WITH ${needles === null ? '' : `${needles}, `}page AS MATERIALIZED (
       SELECT r.*, ${order.position('r', 'place')} FROM (
         ${conditions.sorted}
       ) r WHERE true ${order.pageOf(page, place(limit), place(start), 'r')}
     )
     ${shown(order.by('r'), ', r.place')}`,
      parameters,
    ),
  ]);
  return { ...cutToPage(found, page, (row) => row.place), ...counts };
}

/**
 * Counts by status what the search finds, and what the filter chooses of it. A full join goes by hash or merge, whatever
 * the planner believes of the tables, and takes half the time of 10,000 look-ups. It also has messages of recipients who
 * were retried, which belong to nobody.
 */
async function countRecipients(
  { needles, chosen, found }: RecipientConditions,
  parameters: readonly unknown[],
  db: Database,
): Promise<Pick<RecipientPage, 'total' | 'counts'>> {
  const rows = await db.rows<{ status: RecipientStatus; found: number; chosen: number }>(
    `WITH ${needles === null ? '' : `${needles}, `}recipient AS MATERIALIZED (
       SELECT r.message_id, r.state, r.clicked, r.replied FROM ${found}
     ), message AS MATERIALIZED (
       SELECT k.id, k.status, k.seen, k.error_code FROM messages k
       WHERE k.account_id = $1 AND k.campaign_id = $2 AND k.id >= $3
     )
     SELECT ${STATUS} AS status, count(r.state)::integer AS found, (count(r.state) FILTER (WHERE ${chosen}))::integer AS chosen
     FROM recipient r FULL JOIN message m ON m.id = r.message_id
     GROUP BY 1`,
    [...parameters],
  );
  const foundOf = new Map(rows.map((row) => [row.status, row.found]));
  const counts = Object.fromEntries(RECIPIENT_STATUSES.map((status) => [status, foundOf.get(status) ?? 0]));
  return { total: rows.reduce((sum, row) => sum + row.chosen, 0), counts: counts as RecipientCounts };
}

/**
 * Counts what the filter chooses. Messages are read only if it asks for them, so that a walk stays cheap; `$3` is named
 * because both statements have the same parameters.
 */
async function countChosen(
  conditions: RecipientConditions,
  parameters: readonly unknown[],
  db: Database,
): Promise<Pick<RecipientPage, 'total' | 'counts'>> {
  const { needles, chosen, foundWithMessages } = conditions;
  const row = await db.row<{ total: number }>(
    `${needles === null ? '' : `WITH ${needles}`}
     SELECT count(*)::integer AS total FROM ${foundWithMessages} AND ${chosen}
       AND $3::uuid IS NOT NULL`,
    [...parameters],
  );
  return { total: row?.total ?? 0, counts: null };
}

/**
 * Up to `limit` recipients after position `after`. Paging by position returns none twice, whatever changes meanwhile.
 */
export function recipientsAfter(
  accountId: string,
  campaignId: string,
  after: number,
  limit: number,
  db: Database,
): Promise<RecipientRow[]> {
  return db.rows<RecipientRow>(
    `WITH page AS MATERIALIZED (
       SELECT r.contact_id, r.position, r.message_id, r.attempts, r.state, r.replied_at FROM campaign_recipients r
       WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.position > $4
       ${SENDING_ORDER.by('r')} LIMIT $5
     )
     ${shown(SENDING_ORDER.by('r'))}`,
    [accountId, campaignId, oldestMessageOf(campaignId), after, limit],
  );
}
