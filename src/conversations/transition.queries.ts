import type { Tx } from '../database/unit-of-work.js';
import type { PhoneNumber } from '../values/phone-number.js';
import type { RecordId } from '../values/record-id.js';
import type { Actor } from './conversation-event.js';
import type { ConversationStatus, Transition } from './conversation-state.js';

/** A conversation whose row is locked until the transaction ends. */
export interface HeldThread {
  readonly id: RecordId;
  readonly business_phone_id: RecordId;
  readonly status: ConversationStatus;
  readonly assigned_to: RecordId | null;
  readonly changed_at: Date | null;
}

/**
 * Locks the contact's conversation with a business phone, or the most recently active one where none is named (D34).
 * Those who change the same conversation come one after the other from here on.
 */
export function holdThread(
  accountId: string,
  contactPhone: PhoneNumber,
  businessPhoneId: RecordId | null,
  tx: Tx,
): Promise<HeldThread | null> {
  return tx.row<HeldThread>(
    `SELECT t.id, t.business_phone_id, t.status, t.assigned_to, t.changed_at
     FROM contacts c JOIN conversations t ON t.account_id = c.account_id AND t.contact_id = c.id
     WHERE c.account_id = $1 AND c.phone_number = $2 AND ($3::uuid IS NULL OR t.business_phone_id = $3)
     ORDER BY t.active_at DESC, t.id DESC
     LIMIT 1
     FOR NO KEY UPDATE OF t`,
    [accountId, contactPhone, businessPhoneId],
  );
}

/** Makes an open conversation without a message; whether there was none (D34). */
export async function makeThread(
  accountId: string,
  { id, contactId, businessPhoneId }: { id: RecordId; contactId: RecordId; businessPhoneId: RecordId },
  tx: Tx,
): Promise<boolean> {
  const made = await tx.affected(
    `INSERT INTO conversations (account_id, id, contact_id, business_phone_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT ON CONSTRAINT conversations_thread_key DO NOTHING`,
    [accountId, id, contactId, businessPhoneId],
  );
  return made === 1;
}

/** What a transition left behind, with the names that its event tells. */
export interface TransitionRow {
  readonly assigned_at: Date | null;
  readonly assigned_to_name: string | null;
  readonly previous_assignee_name: string | null;
  readonly actor_name: string | null;
}

/** Who makes a transition, when, and what they wrote about it. */
export interface TransitionRecord {
  readonly source: Actor['source'];
  /** Null for an automatic rule. */
  readonly actorId: RecordId | null;
  readonly at: Date;
  readonly note: string | null;
}

/**
 * Takes a conversation from one state to the next, and in the same statement ends the time of whoever held it and begins
 * that of whoever holds it now. The new time begins only once the old one has ended (`FROM … ended`): a conversation is
 * held by one person at a time, by constraint.
 *
 * @returns null when the conversation was no longer in the state that the transition starts from
 */
export function applyTransition(
  accountId: string,
  threadId: RecordId,
  { from, to }: Transition,
  { source, actorId, at, note }: TransitionRecord,
  tx: Tx,
): Promise<TransitionRow | null> {
  return tx.row<TransitionRow>(
    `WITH changed AS (
       UPDATE conversations t
       SET status = $5, assigned_to = $6::uuid, changed_at = $7::timestamptz,
           assigned_at = CASE WHEN $4::uuid IS NOT DISTINCT FROM $6::uuid THEN t.assigned_at
                              WHEN $6::uuid IS NOT NULL THEN $7::timestamptz END
       WHERE t.account_id = $1 AND t.id = $2 AND t.status = $3 AND t.assigned_to IS NOT DISTINCT FROM $4::uuid
       RETURNING t.id, t.assigned_at
     ), ended AS (
       UPDATE conversation_assignments h SET held_until = $7
       FROM changed
       WHERE h.account_id = $1 AND h.conversation_id = changed.id AND h.held_until IS NULL
         AND $4::uuid IS DISTINCT FROM $6::uuid
       RETURNING h.conversation_id
     ), begun AS (
       INSERT INTO conversation_assignments
         (account_id, conversation_id, held_from, user_id, previous_user_id, source, assigned_by, note)
       SELECT $1, changed.id, $7, $6, $4, $8, $9, $10
       FROM (SELECT count(*) FROM ended) AS ended CROSS JOIN changed
       WHERE $6::uuid IS NOT NULL AND $4::uuid IS DISTINCT FROM $6::uuid
     )
     SELECT changed.assigned_at,
            (SELECT u.full_name FROM users u WHERE u.id = $6::uuid) AS assigned_to_name,
            (SELECT u.full_name FROM users u WHERE u.id = $4::uuid AND $4::uuid IS DISTINCT FROM $6::uuid)
              AS previous_assignee_name,
            (SELECT u.full_name FROM users u WHERE u.id = $9::uuid) AS actor_name
     FROM changed`,
    [accountId, threadId, from.status, from.assignedTo, to.status, to.assignedTo, at, source, actorId, note],
  );
}
