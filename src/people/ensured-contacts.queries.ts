import { optedOut } from '../consent/consent-ledger.queries.js';
import { identityHashesOf } from '../consent/identity-hashes.service.js';
import {
  CONSENT_COLUMNS,
  consentOfNew,
  LEDGER_COLUMNS,
  SUPPRESSED_DECISION,
  suppressedOf,
  suppressionHashes,
} from '../consent/suppression.queries.js';
import { CUSTOM_PLAN } from '../database/connections/preparing-client.js';
import type { Database, Tx } from '../database/unit-of-work.js';
import { eachInSlices, mapInSlices, pause } from '../runtime/slices.js';
import { numberKey } from '../values/number-key.js';
import type { PhoneNumber } from '../values/phone-number.js';
import { newRecordId } from '../values/record-id.js';
import type { UserId } from '../values/user-id.js';
import { type Contact, type ContactSource } from './contact.entity.js';
import { type ContactName, defaultName, isDefaultName, splitName } from './contact-name.js';
import { byNumber, byUserId, type ContactRef } from './contact-ref.js';
import { namedContact, PHONE_NUMBER_CONFLICT, USER_ID_CONFLICT } from './person-keys.js';

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
  Pick<
    Contact,
    'accountId' | 'id' | 'phoneNumber' | 'userId' | 'username' | 'waId' | 'firstName' | 'lastName' | 'optedIn'
  >
> & {
  /** The number or user id that the entry named, which may be another spelling than the contact's. */
  readonly identity: string;
};

/**
 * Makes sure that each number is a contact of the account, in one statement. It creates missing contacts, restores
 * deleted ones with their id and consent, and replaces default names, but no others, with given ones. All spellings of a
 * number are one contact, also when concurrent callers pass them. Rows are written in the order of the numbers' keys, so
 * that callers cannot deadlock, and a contact that needs no change is only read. A person who opted out while they had
 * no contact starts opted out.
 *
 * @param entries in any order; if a number has several names, the first counts
 * @param source the `source` of new contacts
 * @returns a contact for each number as given, but one for several with the same key, in no particular order; numbers
 * that the network knows as one person's have the same contact
 * @throws DomainError 503 when one is missing and nobody can tell whether its person has opted out; not for `inbound`
 * @throws ContactMerged when a contact was merged meanwhile; try the transaction again
 */
export function ensureContacts(
  accountId: string,
  entries: readonly ContactEntry[],
  source: ContactSource,
  db: Database,
): Promise<EnsuredContact[]> {
  const named = entries.map(({ phoneNumber, ...details }) => ({
    ...details,
    accountId,
    contact: byNumber(phoneNumber),
  }));
  return ensureContactsBy('phone_number', named, source, db);
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
  db: Database,
): Promise<EnsuredContact[]> {
  if (entries.length === 0) return [];
  const parameters = await ensureParameters(entries, source, db);
  await pause();
  const ensured = await db.rows<EnsuredContact>(
    `${entries.length >= MANY_ENTRIES ? CUSTOM_PLAN : ''}WITH ${ensuredContacts(by)}
     SELECT * FROM ensured`,
    parameters.all,
  );
  if (ensured.length < parameters.persons) throw unmadeContact(db);
  return ensured;
}

/** A contact was merged into another one while the statement waited; a retry finds the other one. */
export class ContactMerged extends Error {}

/**
 * Why a statement yielded no contact: {@link ContactMerged}, or 503 because nobody can tell whether its person has opted
 * out.
 */
export const unmadeContact = (db: Database): Error =>
  identityHashesOf(db).isReadable ? new ContactMerged() : identityHashesOf(db).unreadable('no contact was created');

/** SQL condition: contact `c` is not deleted and has no default name that a given name (`named`) would replace. */
export const settled = (named: string): string =>
  `c.deleted_at IS NULL AND NOT (${named} AND c.last_name IS NULL AND c.first_name ~ '^User #[0-9]{6}$')`;

/** Whether a caller gave the contact a name; a default name does not count. */
export const isGivenName = (name: ContactName | null): boolean => name !== null && !isDefaultName(name.firstName);

/** The ON CONFLICT target for each kind of identity. */
const CONFLICT = { phone_number: PHONE_NUMBER_CONFLICT, user_id: USER_ID_CONFLICT } as const;

/**
 * A contact without a number may be merged into another one, and messages stored meanwhile would stay with the merged
 * row. This lock makes the merge wait for them; it blocks nothing else.
 */
export const LOCKED_AGAINST_MERGE = { phone_number: '', user_id: 'FOR KEY SHARE' } as const;

/** The columns of {@link EnsuredContact}. */
const RETURNED = [
  'account_id',
  'id',
  'phone_number',
  'user_id',
  'username',
  'wa_id',
  'first_name',
  'last_name',
  'opted_in',
] as const;

/**
 * The CTE `ensured` behind {@link ensureContacts}, for statements that continue with the contacts; `identity` is what the
 * entry named. It uses parameters $1 to $9, see {@link ensureParameters}. All entries are of one kind. An entry whose
 * contact is merged into another one meanwhile yields no row.
 */
export const ensuredContacts = (by: ContactRef['by']): string => `entry AS MATERIALIZED (
       SELECT e.id AS new_id, e.identity, ${by === 'user_id' ? 'e.identity' : 'number_key(coalesce(c.phone_number, e.identity))'} AS key,
              e.identity_hash, e.first_name AS new_first_name, e.last_name AS new_last_name, e.account_id, c.id,
              c.phone_number, c.user_id, c.username, c.wa_id, c.first_name, c.last_name, c.opted_in,
              c.id IS NOT NULL AND (${settled('e.named')} OR (c.deleted_at IS NOT NULL AND e.marketing AND ${optedOut('c')})) AS settled
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::boolean[],
                   $9::text[])
              AS e (account_id, id, identity, first_name, last_name, named, marketing, identity_hash)
       LEFT JOIN LATERAL (
         ${namedContact(by, 'e.account_id', 'e.identity', LOCKED_AGAINST_MERGE[by])}
       ) c ON true
     ), written AS (
       INSERT INTO contacts AS c (account_id, id, ${by}, first_name, last_name, source, ${CONSENT_COLUMNS})
       SELECT DISTINCT ON (entry.account_id, key) entry.account_id, new_id, coalesce(${by}, identity), new_first_name,
              new_last_name, $8, ${consentOfNew('entry.identity_hash')}
       FROM entry LEFT JOIN ${suppressedOf('entry.account_id', 'entry.identity_hash')}
       WHERE NOT settled AND (id IS NOT NULL OR entry.identity_hash IS NOT NULL OR $8 = 'inbound')
       ORDER BY entry.account_id, key
       ON CONFLICT ${CONFLICT[by]} DO UPDATE
       SET (first_name, last_name) = (
             SELECT CASE WHEN gives_way THEN excluded.first_name ELSE c.first_name END,
                    CASE WHEN gives_way THEN excluded.last_name ELSE c.last_name END
             FROM (SELECT c.last_name IS NULL AND c.first_name ~ '^User #[0-9]{6}$'
                          AND excluded.first_name !~ '^User #[0-9]{6}$' AS gives_way) replaced
           ),
           deleted_at = NULL,
           updated_at = now()
       WHERE c.merged_into IS NULL
       RETURNING ${RETURNED.map((column) => `c.${column}`).join(', ')},
                 ${by === 'user_id' ? 'c.user_id' : 'number_key(c.phone_number)'} AS key
     ), decided AS (
       INSERT INTO ${LEDGER_COLUMNS}
       SELECT entry.account_id, entry.new_id, ${SUPPRESSED_DECISION}
       FROM written w JOIN entry ON entry.account_id = w.account_id AND entry.new_id = w.id
       JOIN ${suppressedOf('entry.account_id', 'entry.identity_hash')}
     ),
     ensured AS (
       SELECT identity, ${RETURNED.join(', ')} FROM entry WHERE settled
       UNION ALL
       SELECT entry.identity, ${RETURNED.map((column) => `w.${column}`).join(', ')}
       FROM written w JOIN entry ON entry.account_id = w.account_id AND entry.key = w.key
       WHERE NOT entry.settled
     )`;

/** All entries of one identity, merged. */
interface MergedEntry {
  readonly accountId: string;
  readonly identity: string;
  readonly name: ContactName | null;
  readonly marketing: boolean;
}

/**
 * Builds the parameters of {@link ensuredContacts}, in slices. Of several spellings of a number, and of several names, the
 * first counts.
 *
 * @param tx the transaction that runs the statement
 */
export async function ensureParameters(
  entries: readonly TenantContactEntry[],
  source: ContactSource,
  db: Database,
): Promise<{ readonly all: unknown[]; readonly persons: number }> {
  const merged = new Map<string, MergedEntry>();
  await eachInSlices(entries, ({ accountId, contact, name, marketing = false }) => {
    const identity = contact.value;
    const key = `${accountId}/${contact.by === 'phone_number' ? numberKey(identity) : identity}`;
    const known = merged.get(key);
    const given = known?.name ?? (name === null ? null : splitName(name));
    merged.set(key, {
      accountId,
      identity: known?.identity ?? identity,
      name: given,
      marketing: marketing && (known?.marketing ?? true),
    });
  });
  const people = [...merged.values()];
  const hashes = await suppressionHashes(people, db);
  const rows = await mapInSlices(people, (entry, index) => ({
    ...entry,
    id: newRecordId(),
    used: entry.name ?? defaultName(),
    hash: hashes[index] ?? null,
  }));
  const all = [
    rows.map(({ accountId }) => accountId),
    rows.map(({ id }) => id),
    rows.map(({ identity }) => identity),
    rows.map(({ used }) => used.firstName),
    rows.map(({ used }) => used.lastName),
    rows.map(({ name }) => isGivenName(name)),
    rows.map(({ marketing }) => marketing),
    source,
    rows.map(({ hash }) => hash),
  ];
  return { all, persons: rows.length };
}
