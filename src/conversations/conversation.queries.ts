import { type Counted, cappedTotal, pagedRows, pageFromNearerEnd, pageFromStart } from '../database/sql/page-sql.js';
import type { Database } from '../database/unit-of-work.js';
import type { ContactIdentity, ContactRef } from '../people/contact-ref.js';
import { idsOfPerson } from '../people/merged-contact.queries.js';
import { isNamed } from '../people/person-keys.js';
import { MAX_TOTAL, type Page, type Paged } from '../values/page.js';
import type { RecordId } from '../values/record-id.js';
import type { Conversation } from './conversation.entity.js';
import {
  ConversationConditions,
  type ConversationFilter,
  countersOf,
  isCounted,
  ORDERS,
  partsOf,
} from './conversation-filter.js';
import { chosenConversation } from './conversation-key.queries.js';

/** A conversation with its contact and assignee. */
export type ConversationWithAssignee = Readonly<
  Pick<Conversation, 'businessPhoneId' | 'status' | 'assignedTo' | 'assignedAt'>
> &
  ContactIdentity & {
    readonly assignedToName: string | null;
  };

/** Finds the contact's conversation with a business phone, or the most recently active one if no phone is given. */
export function findAssignment(
  accountId: string,
  contact: ContactRef,
  businessPhoneId: RecordId | null,
  db: Database,
): Promise<ConversationWithAssignee | null> {
  return db.row<ConversationWithAssignee>(
    `SELECT t.business_phone_id, t.status, t.assigned_to, u.full_name AS assigned_to_name, t.assigned_at, c.phone_number,
            c.user_id
     FROM contacts c JOIN conversations t ON t.account_id = c.account_id AND t.contact_id = c.id
     LEFT JOIN users u ON u.id = t.assigned_to
     WHERE c.account_id = $1 AND ${isNamed('c', contact.by, '$2')} AND ($3::uuid IS NULL OR t.business_phone_id = $3)
     ORDER BY t.active_at DESC, t.business_phone_id DESC
     LIMIT 1`,
    [accountId, contact.value, businessPhoneId],
  );
}

/** A conversation in a list. */
export type ListedConversation = ConversationWithAssignee &
  Readonly<
    Pick<
      Conversation,
      'contactId' | 'lastInboundAt' | 'lastMessageAt' | 'lastMessagePreview' | 'waitingSince' | 'createdAt'
    >
  > & {
    readonly firstName: string;
    readonly lastName: string | null;
    /** From whom the current assignee took over, and the note about it. */
    readonly previousAssigneeId: RecordId | null;
    readonly previousAssigneeName: string | null;
    readonly note: string | null;
    /** Null where no message is stored, or none among the contact's newest. */
    readonly lastMessageDirection: 'in' | 'out' | null;
    readonly lastMessageStatus: string | null;
  };

/** How many of a contact's newest messages are looked at for the last one with the phone of a conversation. */
const LOOKED_AT = 100;

const COLUMNS = `t.contact_id, c.phone_number, c.user_id, c.first_name, c.last_name, t.business_phone_id, t.status, t.assigned_to,
            u.full_name AS assigned_to_name, t.assigned_at, h.previous_user_id AS previous_assignee_id,
            p.full_name AS previous_assignee_name, h.note, t.last_inbound_at, t.last_message_at, t.waiting_since,
            CASE WHEN c.erased_at IS NULL THEN t.last_message_preview END AS last_message_preview, t.created_at,
            l.direction AS last_message_direction, l.status AS last_message_status`;
/**
 * The conversations whose keys the CTE `page` has, looked up one after the other. The last message is looked up too:
 * storing which one it is would be another write with every message.
 *
 * The `OFFSET 0` in each subquery stops the planner from flattening it into the outer query. The planner does not know
 * that a page has few rows: it would scan and join whole tables instead of looking up each row by key. With 60,000
 * conversations a page then reads 18,000 buffers instead of 250.
 */
const OF_PAGE = `page
       CROSS JOIN LATERAL (
         SELECT * FROM conversations r
         WHERE r.account_id = $1 AND r.contact_id = page.contact_id AND r.business_phone_id = page.business_phone_id
         OFFSET 0
       ) t
       CROSS JOIN LATERAL (SELECT * FROM contacts r WHERE r.account_id = $1 AND r.id = t.contact_id OFFSET 0) c
       LEFT JOIN LATERAL (
         SELECT * FROM conversation_assignments r
         WHERE r.account_id = $1 AND r.contact_id = t.contact_id AND r.business_phone_id = t.business_phone_id
           AND r.held_until IS NULL
         OFFSET 0
       ) h ON true
       LEFT JOIN LATERAL (SELECT * FROM users r WHERE r.id = t.assigned_to OFFSET 0) u ON true
       LEFT JOIN LATERAL (SELECT * FROM users r WHERE r.id = h.previous_user_id OFFSET 0) p ON true
       LEFT JOIN LATERAL (
         SELECT last.direction, last.status
         FROM unnest(${idsOfPerson('t.contact_id')}) AS one (id)
         CROSS JOIN LATERAL (
           SELECT m.id, m.direction, m.status
           FROM (SELECT r.id, r.direction, r.status, r.business_phone_id, r.message_type FROM messages r
                 WHERE r.account_id = $1 AND r.contact_id = one.id ORDER BY r.id DESC LIMIT ${LOOKED_AT}) m
           WHERE m.business_phone_id = t.business_phone_id AND m.message_type <> 'system' LIMIT 1
         ) last
         ORDER BY last.id DESC LIMIT 1
       ) l ON true`;

/** Finds the contact's conversation with a business phone, or the most recently active one if no phone is given. */
export function findConversation(
  accountId: string,
  contact: ContactRef,
  businessPhoneId: RecordId | null,
  db: Database,
): Promise<ListedConversation | null> {
  return db.row<ListedConversation>(
    `WITH page AS MATERIALIZED (
       SELECT t.contact_id, t.business_phone_id
       ${chosenConversation(contact.by)}
     )
     SELECT ${COLUMNS} FROM ${OF_PAGE}`,
    [accountId, contact.value, businessPhoneId],
  );
}

/**
 * Returns one page of conversations. Index-only scans find the keys of the page. The total of a list by status and
 * assignee is a sum of counters; any other list is counted to a maximum.
 */
export async function listConversations(
  accountId: string,
  filter: ConversationFilter,
  page: Page,
  db: Database,
): Promise<Paged<ListedConversation>> {
  const order = ORDERS[filter.order];
  const parameters: unknown[] = [accountId, ...order.parameters(page)];
  const rows = await db.rows<Counted<ListedConversation>>(
    `WITH ${pageOf(filter, page, parameters)}
     SELECT counted.found, ${COLUMNS}, ${order.position('page')}
     FROM counted LEFT JOIN (
       ${OF_PAGE}
     ) ON true
     ${order.by('page')}`,
    parameters,
  );
  const { total, ...paged } = pagedRows(rows, 'businessPhoneId', page);
  return { ...paged, ...(isCounted(filter) ? { total } : cappedTotal(total)) };
}

/** The CTEs `counted` and `page`. Adds what the filter needs to the parameters. */
function pageOf(filter: ConversationFilter, page: Page, parameters: unknown[]): string {
  const order = ORDERS[filter.order];
  const conditions = new ConversationConditions(filter, parameters);
  if (isCounted(filter)) {
    return `counted AS (
       SELECT coalesce(sum(n.amount), 0)::integer AS found FROM counter_amounts n
       WHERE n.account_id = $1 AND ${countersOf(filter, conditions)}
     ), page AS MATERIALIZED (
       ${pageFromNearerEnd(partsOf(filter, conditions), order, page)}
     )`;
  }
  const { collected } = conditions;
  // Otherwise the planner might walk all conversations of the account in order.
  if (collected !== null) {
    return `${collected}, counted AS (
       SELECT count(*)::integer AS found FROM chosen
     ), page AS MATERIALIZED (
       ${pageFromStart(['SELECT * FROM chosen WHERE true'], order, page)}
     )`;
  }
  return `counted AS (
       SELECT count(*)::integer AS found FROM (SELECT FROM conversations t WHERE ${conditions.all} LIMIT ${MAX_TOTAL + 1}) c
     ), page AS MATERIALIZED (
       ${pageFromStart(partsOf(filter, conditions), order, page)}
     )`;
}
