import type { Database, Tx } from '../database/unit-of-work.js';
import type { ContactRef } from '../people/contact-ref.js';
import { isNamed } from '../people/person-keys.js';
import type { RecordId } from '../values/record-id.js';
import type { ConversationEntry } from './conversation-entry.entity.js';
import { chosenConversation } from './conversation-key.queries.js';

/** A note, with the name of who wrote it. */
export type WrittenNote = Readonly<Pick<ConversationEntry, 'id' | 'at' | 'source' | 'actorId' | 'note'>> & {
  readonly actorName: string | null;
};

/** A note to be written. */
export type NewNote = Readonly<Pick<ConversationEntry, 'id' | 'at' | 'source'>> & {
  readonly text: string;
  readonly userId: RecordId;
};

/**
 * Writes a note into the contact's conversation with a business phone, or into the most recently active one if no phone
 * is given. It changes nothing of the conversation, which is only held against a merge.
 *
 * @returns null when there is no such conversation
 */
export function insertNote(
  accountId: string,
  contact: ContactRef,
  businessPhoneId: RecordId | null,
  { id, at, text, userId, source }: NewNote,
  tx: Tx,
): Promise<WrittenNote | null> {
  return tx.row<WrittenNote>(
    `WITH thread AS MATERIALIZED (
       SELECT t.contact_id, t.business_phone_id
       ${chosenConversation(contact.by)}
       FOR KEY SHARE OF t
     )
     INSERT INTO conversation_entries AS e (account_id, contact_id, business_phone_id, id, kind, at, source, actor_id, note)
     SELECT $1, contact_id, business_phone_id, $4, 'note', $5, $6, $7, $8 FROM thread
     RETURNING e.id, e.at, e.source, e.actor_id, e.note, (SELECT u.full_name FROM users u WHERE u.id = e.actor_id) AS actor_name`,
    [accountId, contact.value, businessPhoneId, id, at, source, userId, text],
  );
}

/** Finds a note of the contact by its id. */
export function findNote(
  accountId: string,
  contact: ContactRef,
  id: RecordId,
  db: Database,
): Promise<WrittenNote | null> {
  return db.row<WrittenNote>(
    `SELECT e.id, e.at, e.source, e.actor_id, e.note, u.full_name AS actor_name
     FROM contacts c
     JOIN conversation_entries e ON e.account_id = c.account_id AND e.contact_id = c.id
     LEFT JOIN users u ON u.id = e.actor_id
     WHERE c.account_id = $1 AND ${isNamed('c', contact.by, '$2')} AND e.id = $3 AND e.kind = 'note'`,
    [accountId, contact.value, id],
  );
}
