import type { ContactIdentity, ContactRef } from '../contacts/contact-ref.js';
import { type Counted, pagedRows, pageFromNearerEnd } from '../database/sql/page-sql.js';
import type { Tx } from '../database/unit-of-work.js';
import { offsetOf, type Page, type Paged } from '../values/page.js';
import { NIL_ID, type RecordId } from '../values/record-id.js';
import type { Conversation } from './conversation.entity.js';
import { CONVERSATION_STATUSES, type ConversationStatus } from './conversation-state.js';

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
  tx: Tx,
): Promise<ConversationWithAssignee | null> {
  return tx.row<ConversationWithAssignee>(
    `SELECT t.business_phone_id, t.status, t.assigned_to, u.full_name AS assigned_to_name, t.assigned_at, c.phone_number,
            c.user_id
     FROM contacts c JOIN conversations t ON t.account_id = c.account_id AND t.contact_id = c.id
     LEFT JOIN users u ON u.id = t.assigned_to
     WHERE c.account_id = $1 AND c.${contact.by} = $2 AND ($3::uuid IS NULL OR t.business_phone_id = $3)
     ORDER BY t.active_at DESC, t.business_phone_id DESC
     LIMIT 1`,
    [accountId, contact.value, businessPhoneId],
  );
}

/** Selects the conversations of a list. */
export interface ConversationFilter {
  readonly status: ConversationStatus | null;
  readonly assignedTo: RecordId | null;
  /** True for unassigned, false for assigned, null for both. */
  readonly unassigned: boolean | null;
}

/** A conversation in a list. */
export type ListedConversation = ConversationWithAssignee &
  Readonly<Pick<Conversation, 'lastInboundAt' | 'lastMessageAt' | 'lastMessagePreview' | 'createdAt'>> & {
    readonly firstName: string;
    readonly lastName: string | null;
    /** From whom the current assignee took over, and the note about it. */
    readonly previousAssigneeId: RecordId | null;
    readonly previousAssigneeName: string | null;
    readonly note: string | null;
  };

/**
 * Returns one page of conversations, most recently active first. Index-only scans find the keys of the page, and the
 * total is a sum of counters.
 *
 * The `OFFSET 0` in each subquery stops the planner from flattening it into the outer query. The planner does not know
 * that a page has few rows: it would scan and join whole tables instead of looking up each row by key. With 60,000
 * conversations a page then reads 18,000 buffers instead of 250.
 */
export async function listConversations(
  accountId: string,
  filter: ConversationFilter,
  page: Page,
  tx: Tx,
): Promise<Paged<ListedConversation>> {
  const rows = await tx.rows<Counted<ListedConversation>>(
    `WITH counted AS (
       SELECT coalesce(sum(n.amount), 0)::integer AS found FROM counter_amounts n
       WHERE n.account_id = $1 AND ${countersOf(filter)}
     ), page AS MATERIALIZED (
       ${pageFromNearerEnd(partsOf(filter), ['active_at', 'contact_id', 'business_phone_id'])}
     )
     SELECT counted.found, c.phone_number, c.user_id, c.first_name, c.last_name, t.business_phone_id, t.status, t.assigned_to,
            u.full_name AS assigned_to_name, t.assigned_at, h.previous_user_id AS previous_assignee_id,
            p.full_name AS previous_assignee_name, h.note, t.last_inbound_at, t.last_message_at,
            CASE WHEN c.erased_at IS NULL THEN t.last_message_preview END AS last_message_preview, t.created_at
     FROM counted LEFT JOIN (
       page
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
     ) ON true
     ORDER BY page.active_at DESC, page.contact_id DESC, page.business_phone_id DESC`,
    [accountId, page.limit, offsetOf(page), ...(filter.assignedTo === null ? [] : [filter.assignedTo])],
  );
  return pagedRows(rows, 'businessPhoneId');
}

// Filters become literal SQL conditions instead of parameters, so that each kind of list gets its own plan.

/** The subject under which the counters count unassigned conversations. */
const NOBODY = `'${NIL_ID}'`;

const statusesOf = ({ status }: ConversationFilter): readonly ConversationStatus[] =>
  status === null ? CONVERSATION_STATUSES : [status];

/** Selects the counters whose sum is the number of matching conversations. */
function countersOf(filter: ConversationFilter): string {
  const { assignedTo, unassigned } = filter;
  const counters = statusesOf(filter).map((status) => `'conversations.${status}'`);
  return [
    `n.counter IN (${counters.join(', ')})`,
    ...(assignedTo === null ? [] : ['n.subject_id = $4::uuid']),
    ...(unassigned === null ? [] : [`n.subject_id ${unassigned ? '=' : '<>'} ${NOBODY}`]),
  ].join(' AND ');
}

/**
 * Splits the matching conversations by status and by assigned or not, so that one index gives the order of each part.
 */
function partsOf(filter: ConversationFilter): string[] {
  return statusesOf(filter).flatMap((status) =>
    holdersOf(filter).map(
      (holders) =>
        `SELECT contact_id, business_phone_id, active_at FROM conversations t
          WHERE t.account_id = $1 AND t.status = '${status}' AND ${holders}`,
    ),
  );
}

function holdersOf({ assignedTo, unassigned }: ConversationFilter): string[] {
  const [held, unheld] = ['t.assigned_to IS NOT NULL', 't.assigned_to IS NULL'];
  const chosen = unassigned === null ? [] : [unassigned ? unheld : held];
  if (assignedTo !== null) return [['t.assigned_to = $4::uuid', ...chosen].join(' AND ')];
  return unassigned === null ? [unheld, held] : chosen;
}
