import { countsByPartition } from '../../counters/partition-count.queries.js';
import { lowestIdAt } from '../../database/schema/partitions.js';
import { idsOfSlices, sliceParameters } from '../../database/sql/page-sql.js';
import type { Tx } from '../../database/unit-of-work.js';
import { HOUR } from '../../values/clock.js';
import { offsetOf, type Page, type Paged } from '../../values/page.js';
import { slicesOf } from '../../values/page-slices.js';
import { timeOfRecordId } from '../../values/record-id.js';
import type { Message } from '../message.entity.js';
import { COUNTED_STATUSES, type CountFilter, countOf } from './message-count.js';

/** A message with its contact and campaign, as records need it. */
export interface MessageRow
  extends Readonly<
    Pick<
      Message,
      | 'id'
      | 'direction'
      | 'contactId'
      | 'businessPhoneId'
      | 'messageType'
      | 'content'
      | 'templateName'
      | 'campaignId'
      | 'status'
      | 'seen'
      | 'networkMessageId'
      | 'errorCode'
      | 'errorMessage'
      | 'pricing'
      | 'createdAt'
      | 'acceptedAt'
      | 'sentAt'
      | 'deliveredAt'
      | 'readAt'
      | 'clickedAt'
      | 'failedAt'
    >
  > {
  readonly contactPhone: string | null;
  readonly contactUserId: string | null;
  readonly firstName: string;
  readonly lastName: string | null;
  readonly campaignName: string | null;
}

/** Filters of a list of messages; null means any. */
export interface MessageFilter extends CountFilter {
  readonly contactPhone: string | null;
  readonly contactUserId: string | null;
  readonly campaignId: string | null;
  readonly businessPhoneId: string | null;
}

/** A column of message `m` that may hold personal data; it is hidden as soon as the contact `c` is erased. */
const unlessErased = (column: string, instead: string): string =>
  `CASE WHEN c.erased_at IS NULL THEN m.${column} ELSE ${instead} END AS ${column}`;

const COLUMNS = `m.id, m.direction, m.contact_id, c.phone_number AS contact_phone, c.user_id AS contact_user_id,
            c.first_name, c.last_name, m.business_phone_id, m.message_type, ${unlessErased('content', "''")}, m.template_name,
            m.campaign_id, g.name AS campaign_name, m.status, m.seen, ${unlessErased('network_message_id', 'NULL')},
            m.error_code, ${unlessErased('error_message', 'NULL')}, m.pricing, m.created_at,
            m.accepted_at, m.sent_at, m.delivered_at, m.read_at, m.clicked_at, m.failed_at`;
const JOINED = `messages m
     JOIN contacts c ON c.account_id = m.account_id AND c.id = m.contact_id
     LEFT JOIN campaigns g ON g.account_id = m.account_id AND g.id = m.campaign_id`;

export function findMessage(accountId: string, messageId: string, tx: Tx): Promise<MessageRow | null> {
  return tx.row<MessageRow>(`SELECT ${COLUMNS} FROM ${JOINED} WHERE m.account_id = $1 AND m.id = $2`, [
    accountId,
    messageId,
  ]);
}

/**
 * One page of messages, newest first. Lists of a contact or a campaign are counted through an index that has only their
 * messages. All other lists may have millions, so their totals come from counters.
 */
export function listMessages(accountId: string, filter: MessageFilter, page: Page, tx: Tx): Promise<Paged<MessageRow>> {
  const { contactPhone, contactUserId, campaignId, businessPhoneId } = filter;
  const isNarrow = [contactPhone, contactUserId, campaignId, businessPhoneId].some((value) => value !== null);
  return isNarrow ? listFewMessages(accountId, filter, page, tx) : listManyMessages(accountId, filter, page, tx);
}

async function listFewMessages(
  accountId: string,
  filter: MessageFilter,
  page: Page,
  tx: Tx,
): Promise<Paged<MessageRow>> {
  const { where, parameters } = conditionsOf(accountId, filter);
  const [count, rows] = await Promise.all([
    tx.row<{ total: number }>(`SELECT count(*) AS total FROM messages m WHERE ${where}`, parameters),
    tx.rows<MessageRow>(
      `WITH page AS MATERIALIZED (
         SELECT m.id FROM messages m
         WHERE ${where}
         ORDER BY m.id DESC LIMIT $${parameters.length + 1} OFFSET $${parameters.length + 2}
       )
       ${MESSAGES_OF_PAGE}`,
      [...parameters, page.limit, offsetOf(page)],
    ),
  ]);
  return { rows, total: count?.total ?? 0 };
}

/**
 * The counters of the months give the total and tell which month has the page. Only that month is read, from its nearer
 * end, so neither a page at the end of the list nor one of a rare status reads the whole of it.
 */
async function listManyMessages(
  accountId: string,
  filter: MessageFilter,
  page: Page,
  tx: Tx,
): Promise<Paged<MessageRow>> {
  const months = await countsByPartition(accountId, 'messages', accountId, COUNTED_STATUSES, tx);
  const stretches = months.map((month) => ({ ...month, found: countOf(month.amounts, filter) }));
  const { where, parameters } = conditionsOf(accountId, filter);
  const rows = await tx.rows<MessageRow>(
    `WITH page AS MATERIALIZED (
       ${idsOfSlices(`SELECT m.id FROM messages m WHERE ${where} AND m.id >= s.since AND m.id < s.until`, parameters.length + 1)}
     )
     ${MESSAGES_OF_PAGE}`,
    [...parameters, ...sliceParameters(slicesOf(stretches, page))],
  );
  return { rows, total: stretches.reduce((sum, { found }) => sum + found, 0) };
}

/** An array, because the planner does not know that a page has few rows: it would join whole partitions with it. */
const MESSAGES_OF_PAGE = `SELECT ${COLUMNS} FROM ${JOINED}
       WHERE m.account_id = $1 AND m.id = ANY (ARRAY(SELECT id FROM page))
       ORDER BY m.id DESC`;

/** Includes only the conditions in use, so that each combination gets its own plan. */
function conditionsOf(accountId: string, filter: MessageFilter): { where: string; parameters: unknown[] } {
  const parameters: unknown[] = [accountId];
  const conditions = ['m.account_id = $1'];
  const add = (condition: (place: string) => string, value: unknown): void => {
    if (value === null) return;
    parameters.push(value);
    conditions.push(condition(`$${parameters.length}`));
  };
  add(
    (place) => `m.contact_id = (SELECT id FROM contacts WHERE account_id = $1 AND phone_number = ${place})`,
    filter.contactPhone,
  );
  add(
    (place) => `m.contact_id = (SELECT id FROM contacts WHERE account_id = $1 AND user_id = ${place})`,
    filter.contactUserId,
  );
  add((place) => `m.campaign_id = ${place}`, filter.campaignId);
  add((place) => `m.id >= ${place}`, filter.campaignId === null ? null : oldestMessageOf(filter.campaignId));
  add((place) => `m.direction = ${place}`, filter.direction);
  add((place) => `m.status = ${place}`, filter.status);
  add((place) => `m.business_phone_id = ${place}`, filter.businessPhoneId);
  return { where: conditions.join(' AND '), parameters };
}

/** A campaign's messages are newer than the campaign; the hour allows for clock skew between processes. */
export const oldestMessageOf = (campaignId: string): string =>
  lowestIdAt(new Date(timeOfRecordId(campaignId).getTime() - HOUR));
