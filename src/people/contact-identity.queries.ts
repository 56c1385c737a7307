import type { Database, Tx } from '../database/unit-of-work.js';
import type { PhoneNumber } from '../values/phone-number.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import type { UserId } from '../values/user-id.js';
import type { Contact } from './contact.entity.js';
import { type ContactIdentity, type ContactRef, identityOfRef } from './contact-ref.js';
import type { UserIdentity } from './learned-identity.js';
import { hasNumber, isNamed, NUMBER_ORDER } from './person-keys.js';

/** The fields by which the network knows a contact. */
export type KnownIdentity = Readonly<Pick<Contact, 'id' | 'phoneNumber' | 'waId' | 'userId' | 'username'>>;

/** The contacts that the network may mean; they may be the same one. */
export interface KnownIdentities {
  readonly ofNumber: KnownIdentity | null;
  readonly ofUser: KnownIdentity | null;
  /** When the person of `ofNumber` changed to another number; null: they have not. */
  readonly numberLeftAt: Date | null;
  /** When the person of `ofUser` changed to another user id; null: they have not. */
  readonly userLeftAt: Date | null;
}

/** A locked contact, with its consent. */
export type LockedIdentity = KnownIdentity &
  Readonly<Pick<Contact, 'optedIn' | 'consentAt' | 'consentBy'>> & { readonly deleted: boolean };

const IDENTITY = 'c.id, c.phone_number, c.wa_id, c.user_id, c.username';

/**
 * Finds contacts by the network's number, in any spelling, and user id. Includes deleted contacts, which a message
 * restores.
 */
export async function findByIdentity(
  accountId: string,
  number: PhoneNumber | null,
  userId: UserId | null,
  db: Database,
): Promise<KnownIdentities> {
  const rows = await db.rows<KnownIdentity & { readonly choice: number; readonly movedAt: Date | null }>(
    `SELECT 1 AS choice, ${IDENTITY}, a.moved_at
     FROM contacts a JOIN contacts c ON c.account_id = a.account_id AND c.id = coalesce(a.merged_into, a.id)
     WHERE a.account_id = $1 AND ${hasNumber('a', '$2')}
     UNION ALL
     SELECT 2, ${IDENTITY}, a.moved_at
     FROM contacts a JOIN contacts c ON c.account_id = a.account_id AND c.id = coalesce(a.merged_into, a.id)
     WHERE a.account_id = $1 AND a.user_id = $3`,
    [accountId, number, userId],
  );
  const chosen = (choice: number) => rows.find((row) => row.choice === choice) ?? null;
  const [ofNumber, ofUser] = [chosen(1), chosen(2)];
  return { ofNumber, ofUser, numberLeftAt: ofNumber?.movedAt ?? null, userLeftAt: ofUser?.movedAt ?? null };
}

/** Reads a contact, or the one that it was merged into; null when there is none, or it was erased. */
export function findKnown(accountId: string, id: RecordId, tx: Tx): Promise<KnownIdentity | null> {
  return tx.row<KnownIdentity>(
    `SELECT ${IDENTITY} FROM contacts a JOIN contacts c ON c.account_id = a.account_id AND c.id = coalesce(a.merged_into, a.id)
     WHERE a.account_id = $1 AND a.id = $2 AND c.erased_at IS NULL`,
    [accountId, id],
  );
}

/**
 * Locks contacts in the order in which all writers lock contacts. Until the transaction ends they cannot be merged
 * and nothing can be stored for them. Erased and merged contacts are skipped.
 */
export function lockContacts(accountId: string, ids: readonly RecordId[], tx: Tx): Promise<LockedIdentity[]> {
  return tx.rows<LockedIdentity>(
    `SELECT ${IDENTITY}, c.opted_in, c.consent_at, c.consent_by, c.deleted_at IS NOT NULL AS deleted FROM contacts c
     WHERE c.account_id = $1 AND c.id = ANY ($2::uuid[]) AND c.erased_at IS NULL AND c.merged_into IS NULL
     ORDER BY number_key(c.phone_number), c.id
     FOR UPDATE`,
    [accountId, ids],
  );
}

/**
 * Adds a number to a contact that was known by user id only.
 *
 * @returns false when the contact already has a number
 */
export async function addNumber(accountId: string, id: RecordId, number: PhoneNumber, tx: Tx): Promise<boolean> {
  const given = await tx.affected(
    `UPDATE contacts c
     SET phone_number = $3, updated_at = now()
     WHERE c.account_id = $1 AND c.id = $2 AND c.phone_number IS NULL AND c.user_id IS NOT NULL`,
    [accountId, id, number],
  );
  return given === 1;
}

/** Removes the number of a contact that also has a user id. */
export async function clearNumber(accountId: string, id: RecordId, tx: Tx): Promise<void> {
  await tx.affected(
    `UPDATE contacts SET phone_number = NULL, wa_id = NULL, is_duplicate = false, updated_at = now()
     WHERE account_id = $1 AND id = $2 AND user_id IS NOT NULL`,
    [accountId, id],
  );
}

/** Removes the user id of a contact that also has a number. */
export async function clearUserId(accountId: string, id: RecordId, tx: Tx): Promise<void> {
  await tx.affected(
    `UPDATE contacts SET user_id = NULL, username = NULL, updated_at = now()
     WHERE account_id = $1 AND id = $2 AND phone_number IS NOT NULL`,
    [accountId, id],
  );
}

/**
 * Stores the user id that the network gave for a contact, and the username if it gave one. If the user id changes and
 * no username is given, the old username is removed.
 *
 * @returns whether anything changed
 */
export async function saveUserId(
  accountId: string,
  id: RecordId,
  { userId, username }: UserIdentity,
  tx: Tx,
): Promise<boolean> {
  const saved = await tx.affected(
    `UPDATE contacts
     SET user_id = $3, username = coalesce($4, CASE WHEN user_id = $3 THEN username END), updated_at = now()
     WHERE account_id = $1 AND id = $2 AND (user_id, username) IS DISTINCT FROM ($3, coalesce($4, username))`,
    [accountId, id, userId, username],
  );
  return saved === 1;
}

/** Stores the network's spelling of a contact's number, to which messages are sent from now on. */
export async function saveSpelling(accountId: string, id: RecordId, waId: PhoneNumber, tx: Tx): Promise<void> {
  await tx.affected(
    `UPDATE contacts SET wa_id = nullif($3, phone_number), updated_at = now()
     WHERE account_id = $1 AND id = $2 AND wa_id IS DISTINCT FROM nullif($3, phone_number) AND erased_at IS NULL`,
    [accountId, id, waId],
  );
}

/** What leads to a contact beside its own number and user id; at least one is set. */
export interface Alias {
  readonly number: PhoneNumber | null;
  readonly userId: UserId | null;
  /** When the person left them for others; null: they still have them. */
  readonly movedAt: Date | null;
}

/**
 * Lets another number or user id lead to a contact: a merged contact without content holds it.
 *
 * @returns false when another contact, or another alias, has the number or user id
 */
export async function addAlias(accountId: string, id: RecordId, alias: Alias, tx: Tx): Promise<boolean> {
  const added = await tx.affected(
    `INSERT INTO contacts (account_id, id, phone_number, user_id, moved_at, merged_into, first_name, source, deleted_at)
     SELECT account_id, $3, $4, $5, $6, id, '', source, now() FROM contacts
     WHERE account_id = $1 AND id = $2 AND merged_into IS NULL AND erased_at IS NULL
     FOR KEY SHARE
     ON CONFLICT DO NOTHING`,
    [accountId, id, newRecordId(), alias.number, alias.userId, alias.movedAt],
  );
  return added === 1;
}

/**
 * Frees a number that only leads to a contact, so that a contact can have it.
 *
 * @param of the contacts that it may lead to; null: any. One that came to lead to another contact meanwhile stays, and
 * whoever takes the number meets its constraint.
 */
export async function dropNumberAlias(
  accountId: string,
  number: PhoneNumber,
  of: readonly RecordId[] | null,
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `UPDATE contacts a SET phone_number = NULL, updated_at = now()
     WHERE a.account_id = $1 AND ${hasNumber('a', '$2')} AND a.merged_into IS NOT NULL
       AND ($3::uuid[] IS NULL OR a.merged_into = ANY ($3::uuid[]))`,
    [accountId, number, of],
  );
}

/** Frees a user id that only leads to one of these contacts, so that a contact can have it. */
export async function dropUserAlias(accountId: string, userId: UserId, of: readonly RecordId[], tx: Tx): Promise<void> {
  await tx.affected(
    `UPDATE contacts SET user_id = NULL, updated_at = now()
     WHERE account_id = $1 AND user_id = $2 AND merged_into = ANY ($3::uuid[])`,
    [accountId, userId, of],
  );
}

/**
 * Frees the numbers and user ids that lead to a contact: its person is no longer known by them.
 *
 * @returns those that the person had until now
 */
export async function dropAliasesOf(accountId: string, id: RecordId, tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ identity: string }>(
    `WITH alias AS MATERIALIZED (
       SELECT id, CASE WHEN moved_at IS NULL THEN phone_number END AS phone_number, user_id FROM contacts
       WHERE account_id = $1 AND merged_into = $2 AND (phone_number IS NOT NULL OR user_id IS NOT NULL)
       ORDER BY ${NUMBER_ORDER} FOR UPDATE
     ), dropped AS (
       UPDATE contacts c SET phone_number = NULL, user_id = NULL, updated_at = now()
       FROM alias WHERE c.account_id = $1 AND c.id = alias.id
     )
     SELECT identity FROM alias CROSS JOIN unnest(ARRAY[phone_number, user_id]) AS i (identity) WHERE identity IS NOT NULL`,
    [accountId, id],
  );
  return rows.map(({ identity }) => identity);
}

/** Replaces the number of a contact by one that no other contact has. */
export async function replaceNumber(accountId: string, id: RecordId, number: PhoneNumber, tx: Tx): Promise<void> {
  await tx.affected(
    `UPDATE contacts SET phone_number = $3, wa_id = NULL, is_duplicate = false, updated_at = now()
     WHERE account_id = $1 AND id = $2`,
    [accountId, id, number],
  );
}

/** Marks the numbers that lead to a contact as left behind; later messages from them are somebody else's. */
export async function markNumberLeft(accountId: string, number: PhoneNumber, at: Date, tx: Tx): Promise<void> {
  await tx.affected(
    `UPDATE contacts a SET moved_at = $3
     WHERE a.account_id = $1 AND ${hasNumber('a', '$2')} AND a.merged_into IS NOT NULL`,
    [accountId, number, at],
  );
}

/** Looks up a contact's identity: it may have another spelling of the number, or both number and user id. */
export async function identityOf(accountId: string, contact: ContactRef, db: Database): Promise<ContactIdentity> {
  const known = await db.row<ContactIdentity>(
    `SELECT c.phone_number, c.user_id FROM contacts c WHERE c.account_id = $1 AND ${isNamed('c', contact.by, '$2')}`,
    [accountId, contact.value],
  );
  return known ?? identityOfRef(contact);
}
