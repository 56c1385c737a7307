import { CUSTOM_PLAN } from '../../database/connections/preparing-client.js';
import type { Tx } from '../../database/unit-of-work.js';
import type { PhoneNumber } from '../../values/phone-number.js';
import { newRecordId } from '../../values/record-id.js';
import type { UserId } from '../../values/user-id.js';
import { type Contact, type ContactSource } from '../contact.entity.js';
import { type ContactName, defaultName, isDefaultName, splitName } from '../contact-name.js';
import { byNumber, byUserId, type ContactRef } from '../contact-ref.js';
import { PHONE_NUMBER_CONFLICT, USER_ID_CONFLICT } from '../contacts.queries.js';
import { identityHashOf } from '../erasure/identity-hashes.service.js';
import { suppressedOf } from '../erasure/suppression.queries.js';

/** What is known about a person besides their number or user id. */
interface EntryDetails {
  /** As given, or from the network's profile; null or blank if unknown. */
  readonly name: string | null;
  /** Does not restore deleted contacts that opted out: marketing messages to them are refused anyway. */
  readonly marketing?: boolean;
}

/** A person who must exist as a contact: a number, and a name if known. */
export interface ContactEntry extends EntryDetails {
  readonly phoneNumber: PhoneNumber;
}

/** The fields of a contact that sends, campaigns and inbound messages need. */
export type EnsuredContact = Readonly<
  Pick<Contact, 'accountId' | 'id' | 'phoneNumber' | 'userId' | 'username' | 'firstName' | 'lastName' | 'optedIn'>
>;

/**
 * Makes sure that each number is a contact of the account, in one statement. It creates missing contacts, restores
 * deleted ones with their id and consent, and replaces default names, but no others, with given ones. Concurrent
 * callers may pass the same numbers; each number becomes one contact. Rows are written in the order of their numbers,
 * so that callers cannot deadlock, and a contact that needs no change is only read. A person who was erased after
 * opting out starts opted out.
 *
 * @param entries in any order; if a number has several names, the first counts
 * @param source the `source` of new contacts
 * @returns one contact for each distinct number, in no particular order
 */
export function ensureContacts(
  accountId: string,
  entries: readonly ContactEntry[],
  source: ContactSource,
  tx: Tx,
): Promise<EnsuredContact[]> {
  const named = entries.map(({ phoneNumber, ...details }) => ({
    ...details,
    accountId,
    contact: byNumber(phoneNumber),
  }));
  return ensureContactsBy('phone_number', named, source, tx);
}

/**
 * Does the same as {@link ensureContacts} for one person known by the network's user id. Until the transaction ends,
 * the contact cannot be merged into another one.
 */
export async function ensureContactOfUser(
  accountId: string,
  { userId, ...details }: EntryDetails & { readonly userId: UserId },
  source: ContactSource,
  tx: Tx,
): Promise<EnsuredContact> {
  const entry = { ...details, accountId, contact: byUserId(userId) };
  const [contact] = await ensureContactsBy('user_id', [entry], source, tx);
  if (contact === undefined) throw new Error(`contact ${userId} was not stored`);
  return contact;
}

/** Makes sure that a person is a contact, like {@link ensureContacts} or {@link ensureContactOfUser}. */
export async function ensureContact(
  accountId: string,
  contact: ContactRef,
  source: ContactSource,
  tx: Tx,
): Promise<EnsuredContact> {
  const [ensured] = await ensureContactsBy(contact.by, [{ accountId, contact, name: null }], source, tx);
  if (ensured === undefined) throw new Error(`contact ${contact.value} was not stored`);
  return ensured;
}

/** An entry with its tenant. */
export type TenantContactEntry = EntryDetails & { readonly accountId: string; readonly contact: ContactRef };

/** From this many entries on, a cached plan made while the table was small costs more than planning again. */
const MANY_ENTRIES = 500;

async function ensureContactsBy(
  by: ContactRef['by'],
  entries: readonly TenantContactEntry[],
  source: ContactSource,
  tx: Tx,
): Promise<EnsuredContact[]> {
  if (entries.length === 0) return [];
  return tx.rows<EnsuredContact>(
    `${entries.length >= MANY_ENTRIES ? CUSTOM_PLAN : ''}WITH ${ensuredContacts(by)}
     SELECT * FROM ensured`,
    ensureParameters(entries, source, tx),
  );
}

/** SQL condition: contact `c` is not deleted and has no default name that a given name (`named`) would replace. */
export const settled = (named: string): string =>
  `c.deleted_at IS NULL AND NOT (${named} AND c.last_name IS NULL AND c.first_name ~ '^User #[0-9]{6}$')`;

/** Whether a caller gave the contact a name; a default name does not count. */
export const isGiven = (name: ContactName | null): boolean => name !== null && !isDefaultName(name.firstName);

/** The ON CONFLICT target for each kind of identity. */
const CONFLICT = { phone_number: PHONE_NUMBER_CONFLICT, user_id: USER_ID_CONFLICT } as const;

/**
 * A contact without a number may be merged into another one, and messages stored meanwhile would stay with the merged
 * row. This lock makes the merge wait for them; it blocks nothing else.
 */
export const LOCKED_AGAINST_MERGE = { phone_number: '', user_id: 'FOR KEY SHARE' } as const;

const ENSURED_COLUMNS = 'account_id, id, phone_number, user_id, username, first_name, last_name, opted_in';

/**
 * The CTE `ensured` behind {@link ensureContacts}, for statements that continue with the contacts. It uses parameters
 * $1 to $9, see {@link ensureParameters}. All entries are of one kind.
 */
export const ensuredContacts = (by: ContactRef['by']): string => `entry AS MATERIALIZED (
       SELECT e.id AS new_id, e.identity, e.identity_hash, e.first_name AS new_first_name, e.last_name AS new_last_name,
              e.account_id, c.id, c.phone_number, c.user_id, c.username, c.first_name, c.last_name, c.opted_in,
              c.id IS NOT NULL AND (${settled('e.named')} OR (c.deleted_at IS NOT NULL AND e.marketing AND NOT c.opted_in)) AS settled
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::boolean[],
                   $9::text[])
              AS e (account_id, id, identity, first_name, last_name, named, marketing, identity_hash)
       LEFT JOIN LATERAL (
         SELECT * FROM contacts c WHERE c.account_id = e.account_id AND c.${by} = e.identity LIMIT 1 ${LOCKED_AGAINST_MERGE[by]}
       ) c ON true
     ), written AS (
       INSERT INTO contacts AS c (account_id, id, ${by}, first_name, last_name, source, opted_in, consent_at)
       SELECT account_id, new_id, identity, new_first_name, new_last_name, $8, suppressed.at IS NULL, suppressed.at
       FROM entry CROSS JOIN ${suppressedOf('entry.account_id', 'entry.identity_hash')}
       WHERE NOT settled
       ORDER BY account_id, identity
       ON CONFLICT ${CONFLICT[by]} DO UPDATE
       SET (first_name, last_name) = (
             SELECT CASE WHEN gives_way THEN excluded.first_name ELSE c.first_name END,
                    CASE WHEN gives_way THEN excluded.last_name ELSE c.last_name END
             FROM (SELECT c.last_name IS NULL AND c.first_name ~ '^User #[0-9]{6}$'
                          AND excluded.first_name !~ '^User #[0-9]{6}$' AS gives_way) replaced
           ),
           deleted_at = NULL,
           updated_at = now()
       RETURNING c.account_id, c.id, c.phone_number, c.user_id, c.username, c.first_name, c.last_name, c.opted_in
     ),
     ensured AS (
       SELECT ${ENSURED_COLUMNS} FROM entry WHERE settled
       UNION ALL
       SELECT ${ENSURED_COLUMNS} FROM written
     )`;

/** All entries of one identity, merged. */
interface MergedEntry {
  readonly accountId: string;
  readonly identity: string;
  readonly name: ContactName | null;
  readonly marketing: boolean;
}

/**
 * Builds the parameters of {@link ensuredContacts}. If an identity has several names, the first counts.
 *
 * @param tx the transaction that runs the statement
 */
export function ensureParameters(entries: readonly TenantContactEntry[], source: ContactSource, tx: Tx): unknown[] {
  const hash = identityHashOf(tx);
  const merged = new Map<string, MergedEntry>();
  for (const { accountId, contact, name, marketing = false } of entries) {
    const identity = contact.value;
    const key = `${accountId}/${identity}`;
    const known = merged.get(key);
    const given = known?.name ?? (name === null ? null : splitName(name));
    merged.set(key, { accountId, identity, name: given, marketing: marketing && (known?.marketing ?? true) });
  }
  const rows = [...merged.values()].map((entry) => ({ ...entry, used: entry.name ?? defaultName() }));
  return [
    rows.map(({ accountId }) => accountId),
    rows.map(() => newRecordId()),
    rows.map(({ identity }) => identity),
    rows.map(({ used }) => used.firstName),
    rows.map(({ used }) => used.lastName),
    rows.map(({ name }) => isGiven(name)),
    rows.map(({ marketing }) => marketing),
    source,
    rows.map(({ accountId, identity }) => hash(accountId, identity)),
  ];
}
