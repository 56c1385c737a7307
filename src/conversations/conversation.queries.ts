import { type Counted, pagedRows, pageFromNearerEnd } from '../database/page-sql.js';
import type { Tx } from '../database/unit-of-work.js';
import { offsetOf, type Page, type Paged } from '../values/page.js';
import type { PhoneNumber } from '../values/phone-number.js';
import type { RecordId } from '../values/record-id.js';
import { CONVERSATION_STATUSES, type ConversationStatus } from './conversation-state.js';

/** Who holds a conversation (SPEC §24). */
export interface AssignmentRow {
  readonly business_phone_id: RecordId;
  readonly status: ConversationStatus;
  readonly assigned_to: RecordId | null;
  readonly assigned_to_name: string | null;
  readonly assigned_at: Date | null;
}

/** The contact's conversation with a business phone, or the most recently active one where none is named (D34). */
export function findAssignment(
  accountId: string,
  contactPhone: PhoneNumber,
  businessPhoneId: RecordId | null,
  tx: Tx,
): Promise<AssignmentRow | null> {
  return tx.row<AssignmentRow>(
    `SELECT t.business_phone_id, t.status, t.assigned_to, u.full_name AS assigned_to_name, t.assigned_at
     FROM contacts c JOIN conversations t ON t.account_id = c.account_id AND t.contact_id = c.id
     LEFT JOIN users u ON u.id = t.assigned_to
     WHERE c.account_id = $1 AND c.phone_number = $2 AND ($3::uuid IS NULL OR t.business_phone_id = $3)
     ORDER BY t.active_at DESC, t.id DESC
     LIMIT 1`,
    [accountId, contactPhone, businessPhoneId],
  );
}

/** Which conversations a list shows. */
export interface ConversationFilter {
  readonly status: ConversationStatus | null;
  readonly assignedTo: RecordId | null;
  /** Whether nobody holds it; null: either. */
  readonly unassigned: boolean | null;
}

/** A conversation as lists show it. */
export interface ConversationRow extends AssignmentRow {
  readonly phone_number: PhoneNumber;
  readonly first_name: string;
  readonly last_name: string | null;
  /** Of whoever holds it: from whom they took it over, and with what note. */
  readonly previous_assignee_id: RecordId | null;
  readonly previous_assignee_name: string | null;
  readonly note: string | null;
  readonly last_inbound_at: Date | null;
  readonly last_message_at: Date | null;
  readonly last_message_preview: string | null;
  readonly created_at: Date;
}

/**
 * One page of the conversations, the most recently active first. Which ones is read from indexes alone; the total is the
 * sum of maintained counts. OFFSET 0: as in lists of contacts.
 */
export async function listConversations(
  accountId: string,
  filter: ConversationFilter,
  page: Page,
  tx: Tx,
): Promise<Paged<ConversationRow>> {
  const rows = await tx.rows<Counted<ConversationRow>>(
    `WITH counted AS (
       SELECT coalesce(sum(n.amount), 0)::integer AS found FROM conversation_counts n
       WHERE n.account_id = $1 ${countsOf(filter)}
     ), page AS MATERIALIZED (
       ${pageFromNearerEnd(partsOf(filter), ['active_at', 'id'])}
     )
     SELECT counted.found, c.phone_number, c.first_name, c.last_name, t.business_phone_id, t.status, t.assigned_to,
            u.full_name AS assigned_to_name, t.assigned_at, h.previous_user_id AS previous_assignee_id,
            p.full_name AS previous_assignee_name, h.note, t.last_inbound_at, t.last_message_at, t.last_message_preview,
            t.created_at
     FROM counted LEFT JOIN (
       page
       CROSS JOIN LATERAL (SELECT * FROM conversations r WHERE r.account_id = $1 AND r.id = page.id OFFSET 0) t
       CROSS JOIN LATERAL (SELECT * FROM contacts r WHERE r.account_id = $1 AND r.id = t.contact_id OFFSET 0) c
       LEFT JOIN LATERAL (
         SELECT * FROM conversation_assignments r
         WHERE r.account_id = $1 AND r.conversation_id = t.id AND r.held_until IS NULL OFFSET 0
       ) h ON true
       LEFT JOIN LATERAL (SELECT * FROM users r WHERE r.id = t.assigned_to OFFSET 0) u ON true
       LEFT JOIN LATERAL (SELECT * FROM users r WHERE r.id = h.previous_user_id OFFSET 0) p ON true
     ) ON true
     ORDER BY page.active_at DESC, page.id DESC`,
    [accountId, page.limit, offsetOf(page), ...(filter.assignedTo === null ? [] : [filter.assignedTo])],
  );
  return pagedRows(rows, 'phone_number');
}

// Conditions are written out, so that each kind of list has a plan of its own.

const NOBODY = "'00000000-0000-0000-0000-000000000000'";

function countsOf({ status, assignedTo, unassigned }: ConversationFilter): string {
  return [
    ...(status === null ? [] : [`AND n.status = '${status}'`]),
    ...(assignedTo === null ? [] : ['AND n.assignee = $4::uuid']),
    ...(unassigned === null ? [] : [`AND n.assignee ${unassigned ? '=' : '<>'} ${NOBODY}`]),
  ].join(' ');
}

/** The conversations that match, in parts whose order one index gives: by status, and by whether somebody holds them. */
function partsOf({ status, assignedTo, unassigned }: ConversationFilter): string[] {
  const holders =
    assignedTo !== null
      ? [
          `t.assigned_to = $4::uuid${unassigned === null ? '' : ` AND t.assigned_to IS ${unassigned ? '' : 'NOT '}NULL`}`,
        ]
      : [true, false]
          .filter((one) => unassigned === null || unassigned === one)
          .map((one) => `t.assigned_to IS ${one ? '' : 'NOT '}NULL`);
  return CONVERSATION_STATUSES.filter((one) => status === null || status === one)
    .flatMap((one) => holders.map((holder) => `t.status = '${one}' AND ${holder}`))
    .map((part) => `SELECT id, active_at FROM conversations t WHERE t.account_id = $1 AND ${part}`);
}
