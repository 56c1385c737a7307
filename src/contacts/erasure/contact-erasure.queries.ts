import type { LostConsent } from '../../consent/consent-ledger.js';
import type { Database, Tx } from '../../database/unit-of-work.js';
import { Contact } from '../../people/contact.entity.js';
import { emptyOf, PERSONAL_COLUMNS } from '../../people/contact-columns.js';
import { hasNumber } from '../../people/person-keys.js';
import type { RecordId } from '../../values/record-id.js';
import type { ContactErasure } from './contact-erasure.entity.js';
import type { ContactPurge } from './contact-purge.entity.js';

/**
 * Finds a contact and those that were merged into it, including deleted ones. The id of a merged contact leads to the
 * one it was merged into.
 *
 * @param lock whether to lock the contacts until the transaction ends
 * @returns the contact first, then the merged ones; empty when it is unknown or in another account
 */
export async function findPerson(
  accountId: string,
  id: RecordId,
  { lock }: { readonly lock: boolean },
  db: Database,
): Promise<Contact[]> {
  const contact = await db.manager.findOne(Contact, {
    where: { accountId, id },
    ...(lock ? { lock: { mode: 'pessimistic_write' as const } } : {}),
  });
  if (contact === null) return [];
  if (contact.mergedInto !== null) return findPerson(accountId, contact.mergedInto, { lock }, db);
  const merged = await db.rows<Contact>(
    `WITH RECURSIVE merged AS (
       SELECT c.id FROM contacts c WHERE c.account_id = $1 AND c.merged_into = $2
       UNION
       SELECT c.id FROM merged m JOIN contacts c ON c.account_id = $1 AND c.merged_into = m.id
     )
     SELECT * FROM contacts WHERE account_id = $1 AND id = ANY (ARRAY(SELECT id FROM merged)) ORDER BY id
     ${lock ? 'FOR UPDATE' : ''}`,
    [accountId, id],
  );
  return [contact, ...merged];
}

/** SQL condition: whether a contact that is not erased, in the account `$1`, has this identity now. */
export const isHeld = (identity: string): string =>
  `(EXISTS (SELECT FROM contacts o WHERE o.account_id = $1 AND ${hasNumber('o', identity)})
    OR EXISTS (SELECT FROM contacts o WHERE o.account_id = $1 AND o.user_id = ${identity})
    OR position('@' in ${identity}) > 0
       AND EXISTS (SELECT FROM contacts o WHERE o.account_id = $1 AND lower(o.email) = lower(${identity})))`;

/** Finds what contacts were known by before. What somebody has now is left out: texts with it may be about them. */
export async function findFormerIdentities(
  accountId: string,
  contactIds: readonly RecordId[],
  db: Database,
): Promise<string[]> {
  const rows = await db.rows<{ identity: string }>(
    `WITH former AS MATERIALIZED (
       SELECT DISTINCT f.identity FROM contacts c CROSS JOIN LATERAL unnest(c.former_identities) AS f (identity)
       WHERE c.account_id = $1 AND c.id = ANY ($2::uuid[])
     )
     SELECT identity FROM former WHERE NOT ${isHeld('identity')}`,
    [accountId, contactIds],
  );
  return rows.map(({ identity }) => identity);
}

/**
 * Finds what the people of contacts decided, with what leads to them by these contacts: a merged one has the number or user
 * id of the contact that it was merged into. A number that its person has left is somebody else's.
 */
export function findConsents(accountId: string, ids: readonly RecordId[], tx: Tx): Promise<LostConsent[]> {
  return tx.rows<LostConsent>(
    `SELECT p.id, p.opted_in, p.consent_at, p.consent_by,
            ARRAY[CASE WHEN c.moved_at IS NULL THEN c.phone_number END, c.wa_id, c.user_id] AS identities
     FROM contacts c JOIN contacts p ON p.account_id = c.account_id AND p.id = coalesce(c.merged_into, c.id)
     WHERE c.account_id = $1 AND c.id = ANY ($2::uuid[])`,
    [accountId, ids],
  );
}

/** Removes all personal data from contacts, a trigger also former identities, and deletes them for good. */
export async function blankContacts(accountId: string, ids: readonly RecordId[], tx: Tx): Promise<void> {
  await tx.affected(
    `UPDATE contacts
     SET ${PERSONAL_COLUMNS.map((name) => `${name} = ${emptyOf(name) ?? 'NULL'}`).join(', ')}, wa_id = NULL,
         deleted_at = coalesce(deleted_at, now()), erased_at = now(),
         updated_at = now()
     WHERE account_id = $1 AND id = ANY ($2::uuid[]) AND erased_at IS NULL`,
    [accountId, ids],
  );
}

/** Deletes the conversations of contacts, with their previews, assignees and notes. */
export async function removeConversations(accountId: string, contactIds: readonly RecordId[], tx: Tx): Promise<void> {
  await tx.rows(
    `SELECT 1 FROM conversations WHERE account_id = $1 AND contact_id = ANY ($2::uuid[])
     ORDER BY contact_id, business_phone_id
     FOR UPDATE`,
    [accountId, contactIds],
  );
  await tx.affected('DELETE FROM conversations WHERE account_id = $1 AND contact_id = ANY ($2::uuid[])', [
    accountId,
    contactIds,
  ]);
}

/** Pending events whose bodies are dropped per call. */
export const MAX_WAITING = 10_000;

/**
 * Drops the bodies of pending events, so that delivery reads them from the event log, which leaves erased contacts out.
 * Events that a worker has just claimed go out unchanged.
 *
 * @returns how many bodies were dropped; {@link MAX_WAITING} means there may be more
 */
export function dropWaitingBodies(accountId: string, tx: Tx): Promise<number> {
  return tx.affected(
    `UPDATE outbox SET body = NULL
     WHERE account_id = $1 AND event_id = ANY (ARRAY(
       SELECT event_id FROM outbox WHERE account_id = $1 AND body IS NOT NULL
       ORDER BY event_id LIMIT ${MAX_WAITING} FOR UPDATE SKIP LOCKED))`,
    [accountId],
  );
}

/**
 * A contact to erase from all tables, with its encrypted tokens; null if another contact of the person carries them.
 */
export interface NewErasure {
  readonly contactId: RecordId;
  readonly identity: string | null;
}

export async function recordErasures(accountId: string, erasures: readonly NewErasure[], tx: Tx): Promise<void> {
  await tx.affected(
    `INSERT INTO contact_erasures (account_id, contact_id, identity)
     SELECT $1::uuid, * FROM unnest($2::uuid[], $3::text[])
     ON CONFLICT ON CONSTRAINT contact_erasures_pkey DO NOTHING`,
    [accountId, erasures.map(({ contactId }) => contactId), erasures.map(({ identity }) => identity)],
  );
}

/** The encrypted tokens of one contact. */
export type SealedIdentity = Pick<ContactErasure, 'contactId'> & { readonly identity: string };

/** Finds the encrypted tokens of people whose erasure has not finished. */
export function findOpenIdentities(accountId: string, tx: Tx): Promise<SealedIdentity[]> {
  return tx.rows<SealedIdentity>(
    `SELECT contact_id, identity FROM contact_erasures
     WHERE account_id = $1 AND due_at IS NOT NULL AND identity IS NOT NULL`,
    [accountId],
  );
}

/** Finds a contact's account by probing each account: operators name a contact by its id alone. */
export async function findAccountOfContact(id: RecordId, db: Database): Promise<string | null> {
  const row = await db.row<{ accountId: string }>(
    `SELECT a.id AS account_id FROM accounts a
     WHERE EXISTS (SELECT FROM contacts c WHERE c.account_id = a.id AND c.id = $1)`,
    [id],
  );
  return row?.accountId ?? null;
}

/** Starts erasing all current contacts of an account. */
export async function openPurge(accountId: string, below: RecordId, tx: Tx): Promise<void> {
  await tx.affected(
    `INSERT INTO contact_purges AS p (account_id, below) VALUES ($1, $2)
     ON CONFLICT ON CONSTRAINT contact_purges_pkey DO UPDATE SET below = greatest(p.below, excluded.below)`,
    [accountId, below],
  );
}

/** A look: whether the contacts of any account are all being erased. */
export const REQUESTED_PURGE = 'SELECT true FROM contact_purges LIMIT 1';

/** Finds accounts whose contacts are all being erased. Pipeline statement: it covers all accounts. */
export async function findPurgedAccounts(db: Database): Promise<string[]> {
  const rows = await db.rows<{ accountId: string }>('SELECT account_id FROM contact_purges ORDER BY requested_at');
  return rows.map(({ accountId }) => accountId);
}

/** Locks the purge of an account until `tx` ends; null when there is none, or another process has it. */
export function lockPurge(accountId: string, tx: Tx): Promise<Pick<ContactPurge, 'below'> | null> {
  return tx.row('SELECT below FROM contact_purges WHERE account_id = $1 FOR UPDATE SKIP LOCKED', [accountId]);
}

/** Locks the next contacts that are not erased yet, including deleted ones, highest id first. */
export function lockNextContacts(accountId: string, below: RecordId, limit: number, tx: Tx): Promise<Contact[]> {
  return tx.rows<Contact>(
    `SELECT * FROM contacts
     WHERE account_id = $1 AND id < $2 AND erased_at IS NULL
     ORDER BY id DESC LIMIT $3 FOR UPDATE`,
    [accountId, below, limit],
  );
}

/** Saves how far a purge has got; null deletes the finished purge. */
export async function savePurgeProgress(accountId: string, below: RecordId | null, tx: Tx): Promise<void> {
  if (below === null) await tx.affected('DELETE FROM contact_purges WHERE account_id = $1', [accountId]);
  else await tx.affected('UPDATE contact_purges SET below = $2 WHERE account_id = $1', [accountId, below]);
}
