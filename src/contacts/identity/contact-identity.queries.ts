import type { Tx } from '../../database/unit-of-work.js';
import type { PhoneNumber } from '../../values/phone-number.js';
import type { RecordId } from '../../values/record-id.js';
import type { UserId } from '../../values/user-id.js';
import type { Contact } from '../contact.entity.js';
import { type ContactIdentity, type ContactRef, identityOfRef } from '../contact-ref.js';
import { identityHashOf } from '../erasure/identity-hashes.service.js';
import { suppressedOf } from '../erasure/suppression.queries.js';

/** A contact by what the network knows of it. */
export type KnownIdentity = Readonly<Pick<Contact, 'id' | 'phoneNumber' | 'userId' | 'username'>>;

/** The contacts that the network may mean; both may be the same one. */
export interface KnownIdentities {
  /** The one with the number that we send to, else the one that the network knows by this number. */
  readonly ofNumber: KnownIdentity | null;
  readonly ofUser: KnownIdentity | null;
}

type Candidate = KnownIdentity & { readonly choice: number };

/** Finds contacts by a number of the network and by its user id. Deleted contacts are found too: a message revives them. */
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
 * Locks a contact and the one that has a user id, if that is another, in the order in which all writers lock contacts.
 * They cannot be merged, and nothing can be stored for them, until the transaction ends. One that was erased is not found.
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
 * Gives a number to somebody who has hidden it; false when the contact has one by now. Who had opted out under that number when
 * they were erased, and has not decided since, is opted out.
 */
export async function giveNumber(accountId: string, id: RecordId, number: PhoneNumber, tx: Tx): Promise<boolean> {
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

/** Takes the user id away from a contact that has a number as well. */
export async function releaseUserId(accountId: string, id: RecordId, tx: Tx): Promise<void> {
  await tx.affected(
    `UPDATE contacts SET user_id = NULL, username = NULL, updated_at = now()
     WHERE account_id = $1 AND id = $2 AND phone_number IS NOT NULL`,
    [accountId, id],
  );
}

/** The network's user id of somebody, and the username where it gave one. */
export interface UserIdentity {
  readonly userId: UserId;
  readonly username: string | null;
}

/**
 * Keeps the user id that the network gave for a contact, and the username where it gave one. Another person's username
 * goes.
 */
export async function keepUserId(
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

/** What a status report tells of the person that a message went to. */
export interface LearnedIdentity extends UserIdentity {
  readonly accountId: string;
  readonly contactId: RecordId;
  /** The number in the report. */
  readonly number: PhoneNumber | null;
}

/**
 * Keeps user ids of contacts that have a number and no user id yet, where no other contact has it: all there is to do for
 * nearly everybody. Contacts that somebody else has locked are passed over, since reports of all accounts come together
 * and must not wait for an import of one of them; their next report tells the same. Pipeline statement: each names its
 * tenant.
 *
 * @returns the contacts for which this was all, passed over or not; the others are left
 */
export function keepNewUserIds(
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

/** What a contact is known by: somebody named by a user id may have a number all the same. */
export async function identityOf(accountId: string, contact: ContactRef, tx: Tx): Promise<ContactIdentity> {
  if (contact.by === 'phone_number') return identityOfRef(contact);
  const known = await tx.row<ContactIdentity>(
    'SELECT phone_number, user_id FROM contacts WHERE account_id = $1 AND user_id = $2',
    [accountId, contact.value],
  );
  return known ?? identityOfRef(contact);
}
