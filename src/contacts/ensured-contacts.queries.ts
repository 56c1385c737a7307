import type { Tx } from '../database/unit-of-work.js';
import type { PhoneNumber } from '../values/phone-number.js';
import { newRecordId } from '../values/record-id.js';
import { type ContactName, defaultName, isDefaultName, splitName } from './contact-name.js';
import { type ContactRow, type ContactSource, PHONE_NUMBER_KEY } from './contacts.queries.js';

/** Somebody to be a contact: a number, and a name if one is known. */
export interface ContactEntry {
  readonly phoneNumber: PhoneNumber;
  /** As given or as in the network's profile; null or blank when not known. */
  readonly name: string | null;
  /** A deleted contact that has opted out is let alone: what is meant for it is not sent anyway. */
  readonly marketing?: boolean;
}

/** What sends, campaigns and inbound messages need to know of a contact. */
export type EnsuredContact = Pick<ContactRow, 'id' | 'phone_number' | 'first_name' | 'last_name' | 'opted_in'> & {
  readonly account_id: string;
};

/**
 * Makes sure that each number is a contact of the account, in one statement: creates the missing ones, revives the
 * deleted ones under their old ids and with their old consent (D77; they left their groups when they were deleted), and
 * puts a given name in the place of a default one, never of another (D54). Any number of callers may name the same
 * numbers at once: each number becomes one contact, rows are written in the order of their numbers, so that callers
 * cannot wait for one another in a circle, and a contact that is as it should be is only read.
 *
 * @param entries in any order; where a number stands twice, its first name counts
 * @param source what a new contact's `source` becomes
 * @returns one contact for each distinct number, in no particular order
 */
export function ensureContacts(
  accountId: string,
  entries: readonly ContactEntry[],
  source: ContactSource,
  tx: Tx,
): Promise<EnsuredContact[]> {
  return ensureContactsOf(
    entries.map((entry) => ({ ...entry, accountId })),
    source,
    tx,
  );
}

/** An entry with its tenant. */
export type TenantContactEntry = ContactEntry & { readonly accountId: string };

/** As {@link ensureContacts}, for several accounts at once. Pipeline statement: each entry names its tenant. */
export async function ensureContactsOf(
  entries: readonly TenantContactEntry[],
  source: ContactSource,
  tx: Tx,
): Promise<EnsuredContact[]> {
  if (entries.length === 0) return [];
  return tx.rows<EnsuredContact>(
    `WITH ${ENSURED_CONTACTS}
     SELECT account_id, id, phone_number, first_name, last_name, opted_in FROM ensured`,
    ensureParameters(entries, source),
  );
}

/** Whether contact `c` may stay as it is: it is not deleted, and its name is none that gives way to the one in `named`. */
export const settled = (named: string): string =>
  `c.deleted_at IS NULL AND NOT (${named} AND c.last_name IS NULL AND c.first_name ~ '^User #[0-9]{6}$')`;

/** Whether a caller has said the contact's name, which a default one is not. */
export const isGiven = (name: ContactName | null): boolean => name !== null && !isDefaultName(name.firstName);

/**
 * The common table expression `ensured` of {@link ensureContactsOf}, for statements that go on with the contacts. Its
 * parameters are $1 to $8, see {@link ensureParameters}.
 */
export const ENSURED_CONTACTS = `entry AS MATERIALIZED (
       SELECT e.id AS new_id, e.phone_number, e.first_name AS new_first_name, e.last_name AS new_last_name,
              e.account_id, c.id, c.first_name, c.last_name, c.opted_in,
              c.id IS NOT NULL AND (${settled('e.named')} OR (c.deleted_at IS NOT NULL AND e.marketing AND NOT c.opted_in)) AS settled
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::boolean[])
              AS e (account_id, id, phone_number, first_name, last_name, named, marketing)
       LEFT JOIN LATERAL (
         SELECT * FROM contacts c WHERE c.account_id = e.account_id AND c.phone_number = e.phone_number LIMIT 1
       ) c ON true
     ), written AS (
       INSERT INTO contacts AS c (account_id, id, phone_number, first_name, last_name, source)
       SELECT account_id, new_id, phone_number, new_first_name, new_last_name, $8 FROM entry
       WHERE NOT settled
       ORDER BY account_id, phone_number
       ON CONFLICT ON CONSTRAINT ${PHONE_NUMBER_KEY} DO UPDATE
       SET (first_name, last_name) = (
             SELECT CASE WHEN gives_way THEN excluded.first_name ELSE c.first_name END,
                    CASE WHEN gives_way THEN excluded.last_name ELSE c.last_name END
             FROM (SELECT c.last_name IS NULL AND c.first_name ~ '^User #[0-9]{6}$'
                          AND excluded.first_name !~ '^User #[0-9]{6}$' AS gives_way) replaced
           ),
           deleted_at = NULL,
           updated_at = now()
       RETURNING c.account_id, c.id, c.phone_number, c.first_name, c.last_name, c.opted_in
     ),
     ensured AS (
       SELECT account_id, id, phone_number, first_name, last_name, opted_in FROM entry WHERE settled
       UNION ALL
       SELECT account_id, id, phone_number, first_name, last_name, opted_in FROM written
     )`;

/** What all entries of a number ask for together. */
interface Wanted {
  readonly accountId: string;
  readonly phoneNumber: PhoneNumber;
  readonly name: ContactName | null;
  readonly marketing: boolean;
}

/** The parameters of {@link ENSURED_CONTACTS}; where a number stands twice, its first name counts. */
export function ensureParameters(entries: readonly TenantContactEntry[], source: ContactSource): unknown[] {
  const wanted = new Map<string, Wanted>();
  for (const { accountId, phoneNumber, name, marketing = false } of entries) {
    const key = `${accountId}/${phoneNumber}`;
    const known = wanted.get(key);
    const given = known?.name ?? (name === null ? null : splitName(name));
    wanted.set(key, { accountId, phoneNumber, name: given, marketing: marketing && (known?.marketing ?? true) });
  }
  const rows = [...wanted.values()].map((entry) => ({ ...entry, used: entry.name ?? defaultName() }));
  return [
    rows.map(({ accountId }) => accountId),
    rows.map(() => newRecordId()),
    rows.map(({ phoneNumber }) => phoneNumber),
    rows.map(({ used }) => used.firstName),
    rows.map(({ used }) => used.lastName),
    rows.map(({ name }) => isGiven(name)),
    rows.map(({ marketing }) => marketing),
    source,
  ];
}
