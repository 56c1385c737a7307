import type { ContactIdentity, ContactRef } from '../contacts/contact-ref.js';
import type { Tx } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';
import type { Conversation } from './conversation.entity.js';
import type { ChangeSource } from './conversation-event.js';
import type { ConversationKey } from './conversation-key.queries.js';
import type { Transition } from './conversation-state.js';

/** A conversation whose row is locked until the transaction ends. */
export type LockedConversation = Readonly<
  Pick<Conversation, 'contactId' | 'businessPhoneId' | 'status' | 'assignedTo' | 'changedAt'>
>;

/**
 * Locks the contact's conversation with a business phone, or the most recently active one if no phone is given. The
 * lock serializes changes of the conversation.
 */
export function lockConversation(
  accountId: string,
  contact: ContactRef,
  businessPhoneId: RecordId | null,
  tx: Tx,
): Promise<(LockedConversation & ContactIdentity) | null> {
  return tx.row<LockedConversation & ContactIdentity>(
    `SELECT t.contact_id, t.business_phone_id, t.status, t.assigned_to, t.changed_at, c.phone_number, c.user_id
     FROM contacts c JOIN conversations t ON t.account_id = c.account_id AND t.contact_id = c.id
     WHERE c.account_id = $1 AND c.${contact.by} = $2 AND ($3::uuid IS NULL OR t.business_phone_id = $3)
     ORDER BY t.active_at DESC, t.business_phone_id DESC
     LIMIT 1
     FOR NO KEY UPDATE OF t`,
    [accountId, contact.value, businessPhoneId],
  );
}

/** Creates an open conversation without messages. @returns false if it already existed */
export async function createConversation(
  accountId: string,
  { contactId, businessPhoneId }: ConversationKey,
  tx: Tx,
): Promise<boolean> {
  const made = await tx.affected(
    `INSERT INTO conversations (account_id, contact_id, business_phone_id) VALUES ($1, $2, $3)
     ON CONFLICT ON CONSTRAINT conversations_pkey DO NOTHING`,
    [accountId, contactId, businessPhoneId],
  );
  return made === 1;
}

/** The stored result of a transition, with the names for its event. */
export interface AppliedTransition {
  readonly assignedAt: Date | null;
  readonly assignedToName: string | null;
  readonly previousAssigneeName: string | null;
  readonly actorName: string | null;
}

/** Who makes a transition, when, and with what note. */
export interface TransitionRecord {
  readonly source: ChangeSource;
  /** Null for an automatic rule. */
  readonly actorId: RecordId | null;
  readonly at: Date;
  readonly note: string | null;
}

/**
 * Changes a conversation's state, and in the same statement ends the old assignment and starts the new one. `FROM …
 * ended` makes the insert wait for the update: a constraint allows only one current assignment per conversation.
 *
 * @returns null when the conversation was no longer in the transition's `from` state
 */
export function applyTransition(
  accountId: string,
  { contactId, businessPhoneId }: ConversationKey,
  { from, to }: Transition,
  { source, actorId, at, note }: TransitionRecord,
  tx: Tx,
): Promise<AppliedTransition | null> {
  return tx.row<AppliedTransition>(
    `WITH changed AS (
       UPDATE conversations t
       SET status = $6, assigned_to = $7::uuid, changed_at = $8::timestamptz,
           assigned_at = CASE WHEN $5::uuid IS NOT DISTINCT FROM $7::uuid THEN t.assigned_at
                              WHEN $7::uuid IS NOT NULL THEN $8::timestamptz END
       WHERE t.account_id = $1 AND t.contact_id = $2 AND t.business_phone_id = $3
         AND t.status = $4 AND t.assigned_to IS NOT DISTINCT FROM $5::uuid
       RETURNING t.assigned_at
     ), ended AS (
       UPDATE conversation_assignments h SET held_until = $8
       FROM changed
       WHERE h.account_id = $1 AND h.contact_id = $2 AND h.business_phone_id = $3 AND h.held_until IS NULL
         AND $5::uuid IS DISTINCT FROM $7::uuid
       RETURNING h.held_from
     ), begun AS (
       INSERT INTO conversation_assignments
         (account_id, contact_id, business_phone_id, held_from, user_id, previous_user_id, source, assigned_by, note)
       SELECT $1, $2, $3, $8, $7, $5, $9, $10, $11
       FROM (SELECT count(*) FROM ended) AS ended CROSS JOIN changed
       WHERE $7::uuid IS NOT NULL AND $5::uuid IS DISTINCT FROM $7::uuid
     )
     SELECT changed.assigned_at,
            (SELECT u.full_name FROM users u WHERE u.id = $7::uuid) AS assigned_to_name,
            (SELECT u.full_name FROM users u WHERE u.id = $5::uuid AND $5::uuid IS DISTINCT FROM $7::uuid)
              AS previous_assignee_name,
            (SELECT u.full_name FROM users u WHERE u.id = $10::uuid) AS actor_name
     FROM changed`,
    [
      accountId,
      contactId,
      businessPhoneId,
      from.status,
      from.assignedTo,
      to.status,
      to.assignedTo,
      at,
      source,
      actorId,
      note,
    ],
  );
}
