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

/** What is known of somebody besides number or user id. */
interface EntryDetails {
  /** As given or as in the network's profile; null or blank when not known. */
  readonly name: string | null;
  /** A deleted contact that has opted out stays deleted: marketing messages to it are refused anyway. */
  readonly marketing?: boolean;
}

/** Somebody to be a contact: a number, and a name if one is known. */
export interface ContactEntry extends EntryDetails {
  readonly phoneNumber: PhoneNumber;
}

/** What sends, campaigns and inbound messages need to know of a contact. */
export type EnsuredContact = Readonly<
  Pick<Contact, 'accountId' | 'id' | 'phoneNumber' | 'userId' | 'username' | 'firstName' | 'lastName' | 'optedIn'>
>;

/**
 * Makes sure that each number is a contact of the account, in one statement: creates the missing ones, revives the
 * deleted ones under their ids and with their consent, and replaces a default name with a given one, never another name.
 * Callers may name the same numbers at once: each number becomes one contact. Rows are written in the order of their
 * numbers, so that callers cannot deadlock, and a contact that needs no change is only read. Who had opted out when they were
 * erased is opted out as a new contact.
 *
 * @param entries in any order; of several names for one number the first counts
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
 * As {@link ensureContacts}, for one person who is known by the network's user id. The contact is locked against being
 * merged into another one until the transaction ends.
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

/** Makes sure that somebody is a contact, as {@link ensureContacts} and {@link ensureContactOfUser} do. */
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

/** From this many on, a plan that was made while the table was small would cost more than another one. */
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

/** Whether contact `c` needs no change: it is not deleted, and has no default name that a given one (`named`) replaces. */
export const settled = (named: string): string =>
  `c.deleted_at IS NULL AND NOT (${named} AND c.last_name IS NULL AND c.first_name ~ '^User #[0-9]{6}$')`;

/** Whether a caller gave the contact a name; a default name is none. */
export const isGiven = (name: ContactName | null): boolean => name !== null && !isDefaultName(name.firstName);

/** How ON CONFLICT names the unique index of each kind of identity. */
const CONFLICT = { phone_number: PHONE_NUMBER_CONFLICT, user_id: USER_ID_CONFLICT } as const;

/**
 * A contact without a number ends when it is merged into another one, and messages stored meanwhile would stay behind with
 * it. The lock makes the merge wait for them; it is of no consequence to anything else.
 */
export const LOCKED_AGAINST_MERGE = { phone_number: '', user_id: 'FOR KEY SHARE' } as const;

const ENSURED_COLUMNS = 'account_id, id, phone_number, user_id, username, first_name, last_name, opted_in';

/**
 * The common table expression `ensured` of {@link ensureContacts}, for statements that go on with the contacts. Its
 * parameters are $1 to $9, see {@link ensureParameters}; all entries are of one kind.
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

/** What all entries of an identity together ask for. */
interface Wanted {
  readonly accountId: string;
  readonly identity: string;
  readonly name: ContactName | null;
  readonly marketing: boolean;
}

/**
 * The parameters of {@link ensuredContacts}; of several names for one identity the first counts.
 *
 * @param tx the statement's own
 */
export function ensureParameters(entries: readonly TenantContactEntry[], source: ContactSource, tx: Tx): unknown[] {
  const hash = identityHashOf(tx);
  const wanted = new Map<string, Wanted>();
  for (const { accountId, contact, name, marketing = false } of entries) {
    const identity = contact.value;
    const key = `${accountId}/${identity}`;
    const known = wanted.get(key);
    const given = known?.name ?? (name === null ? null : splitName(name));
    wanted.set(key, { accountId, identity, name: given, marketing: marketing && (known?.marketing ?? true) });
  }
  const rows = [...wanted.values()].map((entry) => ({ ...entry, used: entry.name ?? defaultName() }));
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
