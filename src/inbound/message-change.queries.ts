import { lowestIdAt } from '../database/schema/partitions.js';
import type { Tx } from '../database/unit-of-work.js';
import type { Message } from '../messages/message.entity.js';
import { idsOfPerson } from '../people/merged-contact.queries.js';
import { DAY } from '../values/clock.js';
import type { RecordId } from '../values/record-id.js';

/** A message that is about to change, locked. */
export type ChangingMessage = Readonly<
  Pick<
    Message,
    'id' | 'businessPhoneId' | 'messageType' | 'content' | 'payload' | 'createdAt' | 'editedAt' | 'revokedAt'
  >
> & {
  /** Whether this change has been applied before. */
  readonly isApplied: boolean;
};

/** @param changeId the network's id of the change */
export function lockMessage(
  accountId: string,
  id: RecordId,
  changeId: string,
  tx: Tx,
): Promise<ChangingMessage | null> {
  return tx.row<ChangingMessage>(
    `SELECT id, business_phone_id, message_type, content, payload, created_at, edited_at, revoked_at,
            coalesce(erased_network_id($3) = ANY (change_ids), false) AS is_applied
     FROM messages WHERE account_id = $1 AND id = $2 FOR UPDATE`,
    [accountId, id, changeId],
  );
}

/** What a change leaves of a message. */
export type ChangedMessage = Readonly<Pick<Message, 'messageType' | 'content' | 'payload' | 'editedAt' | 'revokedAt'>>;

/** Stores a change of a locked message, with a hash of the network's id of the change, so that it counts once. */
export async function saveChange(
  accountId: string,
  id: RecordId,
  { messageType, content, payload, editedAt, revokedAt }: ChangedMessage,
  changeId: string,
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `UPDATE messages
     SET message_type = $3, content = $4, payload = $5::json, edited_at = $6, revoked_at = $7,
         change_ids = array_append(change_ids, erased_network_id($8))
     WHERE account_id = $1 AND id = $2`,
    [
      accountId,
      id,
      messageType,
      content,
      payload === null ? null : JSON.stringify(payload),
      editedAt,
      revokedAt,
      changeId,
    ],
  );
}

/** Notes a change that has no effect on a locked message, so that it counts once. */
export async function noteChange(accountId: string, id: RecordId, changeId: string, tx: Tx): Promise<void> {
  await tx.affected(
    `UPDATE messages SET change_ids = array_append(change_ids, erased_network_id($3))
     WHERE account_id = $1 AND id = $2`,
    [accountId, id, changeId],
  );
}

/** An emoji that was put on a message. */
export type StoredReaction = Readonly<Pick<Message, 'id' | 'payload' | 'createdAt' | 'revokedAt'>> & {
  /** Whether it was taken back by this change. */
  readonly isApplied: boolean;
};

/** The most messages of a contact that are searched for reactions. */
const MAX_SEARCHED = 1000;
/** How long after a message people can react to it, milliseconds. */
const REACTS_WITHIN_MS = 30 * DAY;

/** The latest reactions of a contact, or to one, on a business phone. */
export function findReactions(
  accountId: string,
  contactId: RecordId,
  businessPhoneId: RecordId,
  {
    direction,
    at,
    changeId,
  }: { readonly direction: Message['direction']; readonly at: Date; readonly changeId: string },
  tx: Tx,
): Promise<StoredReaction[]> {
  return tx.rows<StoredReaction>(
    `WITH latest AS MATERIALIZED (
       SELECT id, direction, business_phone_id, message_type FROM messages
       WHERE account_id = $1 AND contact_id = ANY (${idsOfPerson('$2')}) AND id >= $5::uuid
       ORDER BY id DESC LIMIT ${MAX_SEARCHED}
     )
     SELECT m.id, m.payload, m.created_at, m.revoked_at,
            coalesce(erased_network_id($6) = ANY (m.change_ids), false) AS is_applied
     FROM latest l JOIN messages m ON m.account_id = $1 AND m.id = l.id
     WHERE l.business_phone_id = $3 AND l.direction = $4 AND l.message_type = 'reaction'
     ORDER BY m.id`,
    [accountId, contactId, businessPhoneId, direction, lowestIdAt(new Date(at.getTime() - REACTS_WITHIN_MS)), changeId],
  );
}

/**
 * Locks what names a message until the transaction ends. A message takes the lock before it looks for changes that wait
 * for it, and a change before it looks for its message, so one of the two always sees the other: also where there is no
 * contact yet whose lock both would take. `name` is a hash.
 */
export const lockOf = (account: string, name: string): string =>
  `pg_advisory_xact_lock(hashtextextended(${account}::uuid::text || ${name}, 0))`;

/** Locks what names a message that a change waits for. */
export async function lockName(accountId: string, name: string, tx: Tx): Promise<void> {
  await tx.row(`SELECT ${lockOf('$1', '$2::text')} IS NULL AS locked`, [accountId, name]);
}

/** A change whose message had not arrived. */
export interface WaitingChange {
  readonly id: RecordId;
  /** The item of its callback; null if its person was erased meanwhile. */
  readonly body: unknown;
}

/** Finds and locks the changes that wait for a message, in the order of their arrival. */
export function findWaitingChanges(accountId: string, waitsFor: readonly string[], tx: Tx): Promise<WaitingChange[]> {
  return tx.rows<WaitingChange>(
    `SELECT id, body FROM unhandled_callbacks
     WHERE account_id = $1 AND waits_for = ANY ($2::text[])
     ORDER BY id FOR UPDATE`,
    [accountId, waitsFor],
  );
}

export async function dropWaitingChanges(accountId: string, ids: readonly RecordId[], tx: Tx): Promise<void> {
  if (ids.length === 0) return;
  await tx.affected('DELETE FROM unhandled_callbacks WHERE account_id = $1 AND id = ANY ($2::uuid[])', [
    accountId,
    ids,
  ]);
}
