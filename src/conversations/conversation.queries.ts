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
 * One page of the conversations, the most recently active first. Which ones is read from an index alone; the total is the
 * sum of maintained counts.
 */
export async function listConversations(
  accountId: string,
  filter: ConversationFilter,
  page: Page,
  tx: Tx,
): Promise<Paged<ConversationRow>> {
  const counted = await tx.row<{ total: number }>(
    `SELECT coalesce(sum(n.amount), 0)::integer AS total FROM conversation_counts n
     WHERE n.account_id = $1 AND ($2::text IS NULL OR n.status = $2) AND ($3::uuid IS NULL OR n.assignee = $3)
       AND ($4::boolean IS NULL OR (n.assignee = '00000000-0000-0000-0000-000000000000') = $4)`,
    [accountId, filter.status, filter.assignedTo, filter.unassigned],
  );
  const rows = await tx.rows<ConversationRow>(
    `WITH page AS MATERIALIZED (
       SELECT id, active_at FROM (${matching(filter)}) matching
       ORDER BY active_at DESC, id DESC
       LIMIT $2 OFFSET $3
     )
     SELECT c.phone_number, c.first_name, c.last_name, t.business_phone_id, t.status, t.assigned_to,
            u.full_name AS assigned_to_name, t.assigned_at, h.previous_user_id AS previous_assignee_id,
            p.full_name AS previous_assignee_name, h.note, t.last_inbound_at, t.last_message_at, t.last_message_preview,
            t.created_at
     FROM page
     JOIN conversations t ON t.account_id = $1 AND t.id = page.id
     JOIN contacts c ON c.account_id = $1 AND c.id = t.contact_id
     LEFT JOIN users u ON u.id = t.assigned_to
     LEFT JOIN conversation_assignments h ON h.account_id = $1 AND h.conversation_id = t.id AND h.held_until IS NULL
     LEFT JOIN users p ON p.id = h.previous_user_id
     ORDER BY page.active_at DESC, page.id DESC`,
    [accountId, page.limit, offsetOf(page), ...(filter.assignedTo === null ? [] : [filter.assignedTo])],
  );
  return { rows, total: counted?.total ?? 0 };
}

/**
 * The conversations that match, each status read in the order of its part of an index, as far as the page reaches, and
 * both merged. Conditions are written out, so that each kind of list has a plan of its own.
 */
function matching({ status, assignedTo, unassigned }: ConversationFilter): string {
  const conditions = [
    ...(assignedTo === null ? [] : ['AND t.assigned_to = $4::uuid']),
    ...(unassigned === null ? [] : [`AND t.assigned_to IS ${unassigned ? '' : 'NOT '}NULL`]),
  ];
  return CONVERSATION_STATUSES.filter((one) => status === null || status === one)
    .map(
      (one) => `(SELECT t.id, t.active_at FROM conversations t
          WHERE t.account_id = $1 AND t.status = '${one}' ${conditions.join(' ')}
          ORDER BY t.active_at DESC, t.id DESC
          LIMIT $2::bigint + $3)`,
    )
    .join(' UNION ALL ');
}
