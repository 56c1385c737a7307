import type { Tx } from '../../database/unit-of-work.js';
import type { PhoneNumber } from '../../values/phone-number.js';
import type { RecordId } from '../../values/record-id.js';
import type { UserId } from '../../values/user-id.js';
import type { Contact } from '../contact.entity.js';
import { type ContactIdentity, type ContactRef, identityOfRef } from '../contact-ref.js';
import { identityHashOf } from '../erasure/identity-hashes.service.js';
import { suppressedOf } from '../erasure/suppression.queries.js';

/** The fields by which the network knows a contact. */
export type KnownIdentity = Readonly<Pick<Contact, 'id' | 'phoneNumber' | 'userId' | 'username'>>;

/** The contacts that the network may mean; they may be the same one. */
export interface KnownIdentities {
  /** The contact we reach at this number, else the one that the network knows by it. */
  readonly ofNumber: KnownIdentity | null;
  readonly ofUser: KnownIdentity | null;
}

type Candidate = KnownIdentity & { readonly choice: number };

/** Finds contacts by the network's number and user id. Includes deleted contacts, which a message restores. */
export async function findByIdentity(
  accountId: string,
  number: PhoneNumber | null,
  userId: UserId | null,
  tx: Tx,
): Promise<KnownIdentities> {
  const rows = await tx.rows<Candidate>(
    `SELECT 1 AS choice, id, phone_number, user_id, username FROM contacts WHERE account_id = $1 AND phone_number = $2
     UNION ALL
     SELECT 2, id, phone_number, user_id, username FROM contacts WHERE account_id = $1 AND wa_id = $2
     UNION ALL
     SELECT 3, id, phone_number, user_id, username FROM contacts WHERE account_id = $1 AND user_id = $3`,
    [accountId, number, userId],
  );
  const chosen = (choice: number) => rows.find((row) => row.choice === choice) ?? null;
  return { ofNumber: chosen(1) ?? chosen(2), ofUser: chosen(3) };
}

/**
 * Locks a contact and the contact that has a user id, in the order in which all writers lock contacts. Until the
 * transaction ends they cannot be merged and nothing can be stored for them. Erased contacts are skipped.
 */
export function lockIdentities(accountId: string, id: RecordId, userId: UserId, tx: Tx): Promise<KnownIdentity[]> {
  return tx.rows<KnownIdentity>(
    `SELECT id, phone_number, user_id, username FROM contacts
     WHERE account_id = $1 AND (id = $2 OR user_id = $3) AND erased_at IS NULL
     ORDER BY phone_number, id
     FOR UPDATE`,
    [accountId, id, userId],
  );
}

/**
 * Adds a number to a contact that was known by user id only. If a person with this number was erased after opting out,
 * and the contact has not decided since, it is opted out.
 *
 * @returns false when the contact already has a number
 */
export async function addNumber(accountId: string, id: RecordId, number: PhoneNumber, tx: Tx): Promise<boolean> {
  const given = await tx.affected(
    `UPDATE contacts c
     SET phone_number = $3, updated_at = now(),
         opted_in = c.opted_in AND (suppressed.at IS NULL OR coalesce(c.consent_at >= suppressed.at, false)),
         consent_at = greatest(c.consent_at, suppressed.at)
     FROM ${suppressedOf('$1', '$4')}
     WHERE c.account_id = $1 AND c.id = $2 AND c.phone_number IS NULL AND c.user_id IS NOT NULL`,
    [accountId, id, number, identityHashOf(tx)(accountId, number)],
  );
  return given === 1;
}

/** Removes the user id of a contact that also has a number. */
export async function clearUserId(accountId: string, id: RecordId, tx: Tx): Promise<void> {
  await tx.affected(
    `UPDATE contacts SET user_id = NULL, username = NULL, updated_at = now()
     WHERE account_id = $1 AND id = $2 AND phone_number IS NOT NULL`,
    [accountId, id],
  );
}

/** The network's user id of a person, and their username if it gave one. */
export interface UserIdentity {
  readonly userId: UserId;
  readonly username: string | null;
}

/**
 * Stores the user id that the network gave for a contact, and the username if it gave one. If the user id changes and
 * no username is given, the old username is removed.
 */
export async function saveUserId(
  accountId: string,
  id: RecordId,
  { userId, username }: UserIdentity,
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `UPDATE contacts
     SET user_id = $3, username = coalesce($4, CASE WHEN user_id = $3 THEN username END), updated_at = now()
     WHERE account_id = $1 AND id = $2 AND (user_id, username) IS DISTINCT FROM ($3, coalesce($4, username))`,
    [accountId, id, userId, username],
  );
}

/** What a status report says about the recipient of a message. */
export interface LearnedIdentity extends UserIdentity {
  readonly accountId: string;
  readonly contactId: RecordId;
  /** The number in the report. */
  readonly number: PhoneNumber | null;
}

/**
 * Stores user ids of contacts that have a number and no user id yet, unless another contact has that user id. This
 * covers nearly all cases. Locked contacts are skipped: reports of all accounts share a batch and must not wait for one
 * account's import, and the next report repeats the user id. Pipeline statement: each row names its tenant.
 *
 * @returns the contacts that need nothing more, including skipped ones; the caller handles the others
 */
export function saveNewUserIds(
  learned: readonly LearnedIdentity[],
  tx: Tx,
): Promise<Pick<Contact, 'accountId' | 'id'>[]> {
  return tx.rows(
    `WITH usual AS MATERIALIZED (
       SELECT c.account_id, c.id, l.user_id, l.username
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) AS l (account_id, contact_id, user_id, username)
       JOIN contacts c ON c.account_id = l.account_id AND c.id = l.contact_id
       WHERE c.phone_number IS NOT NULL AND c.user_id IS NULL
         AND NOT EXISTS (SELECT FROM contacts o WHERE o.account_id = l.account_id AND o.user_id = l.user_id)
     ), held AS MATERIALIZED (
       SELECT c.account_id, c.id, u.user_id, u.username
       FROM usual u JOIN contacts c ON c.account_id = u.account_id AND c.id = u.id
       WHERE c.user_id IS NULL AND c.erased_at IS NULL
       ORDER BY c.account_id, c.phone_number
       FOR NO KEY UPDATE OF c SKIP LOCKED
     ), kept AS (
       UPDATE contacts c SET user_id = h.user_id, username = h.username, updated_at = now()
       FROM held h WHERE c.account_id = h.account_id AND c.id = h.id
     )
     SELECT account_id, id FROM usual`,
    [
      learned.map(({ accountId }) => accountId),
      learned.map(({ contactId }) => contactId),
      learned.map(({ userId }) => userId),
      learned.map(({ username }) => username),
    ],
  );
}

/** Looks up a contact's identity: a contact named by user id may also have a number. */
export async function identityOf(accountId: string, contact: ContactRef, tx: Tx): Promise<ContactIdentity> {
  if (contact.by === 'phone_number') return identityOfRef(contact);
  const known = await tx.row<ContactIdentity>(
    'SELECT phone_number, user_id FROM contacts WHERE account_id = $1 AND user_id = $2',
    [accountId, contact.value],
  );
  return known ?? identityOfRef(contact);
}
