import type { Tx } from '../../database/unit-of-work.js';
import { oldestMessageOf } from '../../messages/history/message-history.queries.js';
import type { Message } from '../../messages/message.entity.js';
import type { MessageStatus } from '../../messages/reports/message-status.js';
import { offsetOf, type Page, type Paged } from '../../values/page.js';
import type { CampaignRecipient } from '../campaign-recipient.entity.js';

/** The status of a recipient: that of its message, or cancelled. */
export type RecipientStatus = MessageStatus | 'cancelled';

/** A recipient with the status of its latest message. */
export interface RecipientRow
  extends Readonly<Pick<CampaignRecipient, 'contactId' | 'position' | 'messageId' | 'attempts'>>,
    Readonly<Pick<Message, 'errorCode' | 'errorMessage'>> {
  readonly contactPhone: string | null;
  readonly contactUserId: string | null;
  readonly firstName: string;
  readonly lastName: string | null;
  readonly status: RecipientStatus;
}

/** A pending recipient may have a message from an earlier attempt, which is also pending. */
const STATUS = `CASE r.state WHEN 'cancelled' THEN 'cancelled' ELSE coalesce(m.status, 'pending') END`;

const RECIPIENTS = `campaign_recipients r
       LEFT JOIN messages m ON m.account_id = r.account_id AND m.id = r.message_id AND m.id >= $3
       WHERE r.account_id = $1 AND r.campaign_id = $2`;

const pageOf = (condition: string, limit: string): string => `WITH page AS MATERIALIZED (
       SELECT r.contact_id, r.position, r.message_id, r.attempts, r.state FROM ${RECIPIENTS} ${condition}
       ORDER BY r.position ${limit}
     )
     SELECT r.contact_id, r.position, c.phone_number AS contact_phone, c.user_id AS contact_user_id, c.first_name,
            c.last_name, r.message_id, r.attempts, ${STATUS} AS status, m.error_code,
            CASE WHEN c.erased_at IS NULL THEN m.error_message END AS error_message
     FROM page r
     JOIN contacts c ON c.account_id = $1 AND c.id = r.contact_id
     LEFT JOIN messages m ON m.account_id = $1 AND m.id = r.message_id AND m.id >= $3
     ORDER BY r.position`;

/**
 * One page of a campaign's recipients, in sending order. Messages are read for this page only, unless filtering by
 * status.
 *
 * @param status null: any
 */
export async function listRecipients(
  accountId: string,
  campaignId: string,
  status: RecipientStatus | null,
  page: Page,
  tx: Tx,
): Promise<Paged<RecipientRow>> {
  const condition = status === null ? '' : `AND ${STATUS} = $4`;
  const parameters = [accountId, campaignId, oldestMessageOf(campaignId), ...(status === null ? [] : [status])];
  const [count, rows] = await Promise.all([
    tx.row<{ total: number }>(`SELECT count(*)::integer AS total FROM ${RECIPIENTS} ${condition}`, parameters),
    tx.rows<RecipientRow>(pageOf(condition, `LIMIT $${parameters.length + 1} OFFSET $${parameters.length + 2}`), [
      ...parameters,
      page.limit,
      offsetOf(page),
    ]),
  ]);
  return { rows, total: count?.total ?? 0 };
}

/**
 * Up to `limit` recipients after position `after`. Paging by position returns none twice, whatever changes meanwhile.
 */
export function recipientsAfter(
  accountId: string,
  campaignId: string,
  after: number,
  limit: number,
  tx: Tx,
): Promise<RecipientRow[]> {
  return tx.rows<RecipientRow>(pageOf('AND r.position > $4', 'LIMIT $5'), [
    accountId,
    campaignId,
    oldestMessageOf(campaignId),
    after,
    limit,
  ]);
}
