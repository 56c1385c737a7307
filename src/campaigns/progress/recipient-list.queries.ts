import { ListOrder } from '../../database/sql/list-order.js';
import type { Database } from '../../database/unit-of-work.js';
import { oldestMessageOf } from '../../messages/history/message-history.queries.js';
import type { Message } from '../../messages/message.entity.js';
import type { MessageStatus } from '../../messages/message-status.js';
import { cutToPage, type Page, type Paged } from '../../values/page.js';
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

const OWN = 'r.account_id = $1 AND r.campaign_id = $2';
const ANY_RECIPIENTS = `campaign_recipients r WHERE ${OWN}`;
/**
 * The message of recipient `r`, looked up by its key. `OFFSET 0` keeps the planner from joining in another way: where its
 * statistics are older than an account, it takes the account for empty, and would read all of its rows for each recipient.
 */
const MESSAGE = `LEFT JOIN LATERAL (
       SELECT * FROM messages k WHERE k.account_id = $1 AND k.id = r.message_id AND k.id >= $3 OFFSET 0
     ) m ON true`;
const WITH_STATUS = `campaign_recipients r ${MESSAGE} WHERE ${OWN} AND ${STATUS} = $4`;

/** Sending order. */
const ORDER = new ListOrder({ position: 'number' }, 'ASC');

const pageOf = (rows: string): string => `WITH page AS MATERIALIZED (
       SELECT r.contact_id, r.position, r.message_id, r.attempts, r.state FROM ${rows}
     )
     SELECT c.id AS contact_id, r.position, c.phone_number AS contact_phone, c.user_id AS contact_user_id, c.first_name,
            c.last_name, r.message_id, r.attempts, ${STATUS} AS status, m.error_code,
            CASE WHEN coalesce(c.erased_at, o.erased_at) IS NULL THEN m.error_message END AS error_message
     FROM page r
     CROSS JOIN LATERAL (SELECT * FROM contacts k WHERE k.account_id = $1 AND k.id = r.contact_id OFFSET 0) o
     CROSS JOIN LATERAL (
       SELECT * FROM contacts k WHERE k.account_id = $1 AND k.id = coalesce(o.merged_into, o.id) OFFSET 0
     ) c
     ${MESSAGE}
     ${ORDER.by('r')}`;

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
  db: Database,
): Promise<Paged<RecipientRow>> {
  const recipients = status === null ? ANY_RECIPIENTS : WITH_STATUS;
  const parameters = [accountId, campaignId, oldestMessageOf(campaignId), ...(status === null ? [] : [status])];
  const counted = status === null ? parameters.slice(0, 2) : parameters;
  const cut = ORDER.pageOf(page, `$${parameters.length + 1}`, `$${parameters.length + 2}`, 'r');
  const [count, found] = await Promise.all([
    db.row<{ total: number }>(`SELECT count(*)::integer AS total FROM ${recipients}`, counted),
    db.rows<RecipientRow>(pageOf(`${recipients} ${cut}`), [...parameters, ...ORDER.parameters(page)]),
  ]);
  const { rows, next } = cutToPage(found, page, ({ position }) => [String(position)]);
  return { rows, next, total: count?.total ?? 0 };
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
  return db.rows<RecipientRow>(pageOf(`${ANY_RECIPIENTS} AND r.position > $4 ${ORDER.by('r')} LIMIT $5`), [
    accountId,
    campaignId,
    oldestMessageOf(campaignId),
    after,
    limit,
  ]);
}
