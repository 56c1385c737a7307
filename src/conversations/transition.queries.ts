import type { Tx } from '../database/unit-of-work.js';
import type { ContactIdentity, ContactRef } from '../people/contact-ref.js';
import { type RecordId, recordIdOf } from '../values/record-id.js';
import type { Conversation } from './conversation.entity.js';
import type { ChangeSource } from './conversation-event.js';
import { type ConversationKey, chosenConversation } from './conversation-key.queries.js';
import type { ConversationTransition } from './conversation-state.js';

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
     ${chosenConversation(contact.by)}
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

/** Who makes a transition, when, and with what words. */
export interface TransitionRecord {
  readonly source: ChangeSource;
  /** Null for an automatic rule. */
  readonly actorId: RecordId | null;
  readonly at: Date;
  /** Of a reassignment. */
  readonly note: string | null;
  /** What its entry in the timeline holds: also the note of a first assignment. */
  readonly entry: { readonly note: string | null; readonly reason: string | null };
}

/**
 * Changes a conversation's state, and in the same statement ends the old assignment, starts the new one, and writes the
 * entry of the timeline. `FROM … ended` makes the insert wait for the update: a constraint allows only one current
 * assignment per conversation. Nobody waits any more in a conversation that is resolved.
 *
 * @returns null when the conversation was no longer in the transition's `from` state
 */
export function applyTransition(
  accountId: string,
  { contactId, businessPhoneId }: ConversationKey,
  { kind, from, to }: ConversationTransition,
  { source, actorId, at, note, entry }: TransitionRecord,
  tx: Tx,
): Promise<AppliedTransition | null> {
  return tx.row<AppliedTransition>(
    `WITH changed AS (
       UPDATE conversations t
       SET status = $6, assigned_to = $7::uuid, changed_at = $8::timestamptz,
           assigned_at = CASE WHEN $5::uuid IS NOT DISTINCT FROM $7::uuid THEN t.assigned_at
                              WHEN $7::uuid IS NOT NULL THEN $8::timestamptz END,
           waiting_since = CASE WHEN $6 = 'open' THEN t.waiting_since END
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
         (account_id, contact_id, business_phone_id, held_from, user_id, previous_user_id, source, assigned_by, note,
          has_entry)
       SELECT $1, $2, $3, $8, $7, $5, $9, $10, $11, true
       FROM (SELECT count(*) FROM ended) AS ended CROSS JOIN changed
       WHERE $7::uuid IS NOT NULL AND $5::uuid IS DISTINCT FROM $7::uuid
     ), entered AS (
       INSERT INTO conversation_entries
         (account_id, contact_id, business_phone_id, id, kind, at, source, actor_id, assigned_to, previous_assignee_id, note,
          reason)
       SELECT $1, $2, $3, $12::uuid, $13, $8, $9, $10, $7, nullif($5::uuid, $7::uuid), $14, $15
       FROM changed
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
      recordIdOf(at),
      kind,
      entry.note,
      entry.reason,
    ],
  );
}
