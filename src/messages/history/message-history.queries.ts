import { lowestIdAt } from '../../database/schema/partitions.js';
import type { Tx } from '../../database/unit-of-work.js';
import { HOUR } from '../../values/clock.js';
import { offsetOf, type Page, type Paged } from '../../values/page.js';
import { timeOfRecordId } from '../../values/record-id.js';
import type { Message } from '../message.entity.js';

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
export interface MessageFilter {
  readonly contactPhone: string | null;
  readonly contactUserId: string | null;
  readonly campaignId: string | null;
  readonly direction: Message['direction'] | null;
  readonly status: Message['status'] | null;
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

/** One page of messages, newest first: ids sort by creation time, and each partition has an index in that order. */
export async function listMessages(
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
       SELECT ${COLUMNS} FROM page JOIN ${JOINED.replace('messages m', 'messages m ON m.account_id = $1 AND m.id = page.id')}
       ORDER BY m.id DESC`,
      [...parameters, page.limit, offsetOf(page)],
    ),
  ]);
  return { rows, total: count?.total ?? 0 };
}

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
