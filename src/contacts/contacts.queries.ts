import { IsNull } from 'typeorm';
import { type Counted, pagedRows, pageFromNearerEnd } from '../database/sql/page-sql.js';
import type { Tx } from '../database/unit-of-work.js';
import { offsetOf, type Page, type Paged } from '../values/page.js';
import type { PhoneNumber } from '../values/phone-number.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { Contact } from './contact.entity.js';
import type { ContactName } from './contact-name.js';
import { contactNotFound, phoneNumberTaken } from './contacts.errors.js';
import { identityHashOf } from './erasure/identity-hashes.service.js';
import { suppressedOf } from './erasure/suppression.queries.js';

/** A contact that is not deleted. */
export type ContactRow = Readonly<
  Pick<
    Contact,
    | 'id'
    | 'firstName'
    | 'lastName'
    | 'phoneNumber'
    | 'userId'
    | 'username'
    | 'email'
    | 'company'
    | 'tags'
    | 'optedIn'
    | 'source'
    | 'createdAt'
  >
>;

/** A contact as a caller creates it. */
export interface NewContact extends ContactName {
  readonly phoneNumber: PhoneNumber;
  readonly email: string | null;
  readonly company: string | null;
  readonly tags: string[];
}

/** The fields a caller may change; undefined fields stay as they are. */
export type ContactChanges = { readonly [Field in keyof ChangeableContact]: ChangeableContact[Field] | undefined };
type ChangeableContact = NewContact & { readonly optedIn: boolean };

/** The columns of a {@link ContactRow}, of contact `c`. */
export const CONTACT_COLUMNS = [
  'id',
  'first_name',
  'last_name',
  'phone_number',
  'user_id',
  'username',
  'email',
  'company',
  'tags',
  'opted_in',
  'source',
  'created_at',
]
  .map((column) => `c.${column}`)
  .join(', ');

/** Columns that a PATCH may set, in a fixed order so that similar requests share one prepared statement. */
const CHANGEABLE: readonly [keyof ContactChanges, string][] = [
  ['phoneNumber', 'phone_number'],
  ['firstName', 'first_name'],
  ['lastName', 'last_name'],
  ['email', 'email'],
  ['company', 'company'],
  ['tags', 'tags'],
  ['optedIn', 'opted_in'],
];

/** The unique index on numbers, and its ON CONFLICT target. Contacts that hide their number are not in it. */
export const PHONE_NUMBER_KEY = 'contacts_phone_number_key';
export const PHONE_NUMBER_CONFLICT = '(account_id, phone_number) WHERE phone_number IS NOT NULL';
/** The ON CONFLICT target of the unique index on the network's user ids. */
export const USER_ID_CONFLICT = '(account_id, user_id) WHERE user_id IS NOT NULL';

/** Returns null when the contact is unknown, deleted or in another account. */
export const findContact = (accountId: string, id: RecordId, tx: Tx): Promise<ContactRow | null> =>
  tx.manager.findOneBy(Contact, { accountId, id, deletedAt: IsNull() });

/** Selects the contacts of the CTE `page`, newest first, each with the total from the CTE `counted`. */
export const CONTACTS_OF_PAGE = `SELECT counted.found, ${CONTACT_COLUMNS}
     FROM counted LEFT JOIN contacts c ON c.account_id = $1 AND c.id = ANY (ARRAY(SELECT id FROM page))
     ORDER BY c.created_at DESC, c.id DESC`;

/**
 * Returns one page of contacts, newest first. The total comes from a maintained counter. The offset is skipped in the
 * index, from whichever end is nearer, before any row is read.
 */
export async function listContacts(accountId: string, page: Page, tx: Tx): Promise<Paged<ContactRow>> {
  const live = 'SELECT id, created_at FROM contacts WHERE account_id = $1 AND deleted_at IS NULL';
  const rows = await tx.rows<Counted<ContactRow>>(
    `WITH counted AS (
       SELECT coalesce(sum(amount), 0)::integer AS found FROM counter_amounts
       WHERE account_id = $1 AND counter = 'contacts' AND subject_id = $1
     ), page AS MATERIALIZED (
       ${pageFromNearerEnd([live], ['created_at', 'id'])}
     )
     ${CONTACTS_OF_PAGE}`,
    [accountId, page.limit, offsetOf(page)],
  );
  return pagedRows(rows, 'id');
}

/**
 * Creates a contact, or restores the deleted one with this number. A restored contact keeps its id, `created_at`,
 * `source` and consent; everything else is overwritten. A person who was erased after opting out starts opted out.
 *
 * @throws DomainError `conflict` naming the contact that has the number
 */
export async function createContact(accountId: string, contact: NewContact, tx: Tx): Promise<ContactRow> {
  const row = await tx.row<ContactRow>(
    `INSERT INTO contacts AS c (account_id, id, phone_number, first_name, last_name, email, company, tags, source,
                                opted_in, consent_at)
     SELECT $1::uuid, $2::uuid, $3, $4, $5, $6, $7, $8::text[], 'api', suppressed.at IS NULL, suppressed.at
     FROM ${suppressedOf('$1', '$9')}
     ON CONFLICT ${PHONE_NUMBER_CONFLICT} DO UPDATE
     SET first_name = excluded.first_name, last_name = excluded.last_name, email = excluded.email,
         company = excluded.company, tags = excluded.tags, deleted_at = NULL, updated_at = now()
     WHERE c.deleted_at IS NOT NULL
     RETURNING ${CONTACT_COLUMNS}`,
    [
      accountId,
      newRecordId(),
      contact.phoneNumber,
      contact.firstName,
      contact.lastName,
      contact.email,
      contact.company,
      contact.tags,
      identityHashOf(tx)(accountId, contact.phoneNumber),
    ],
  );
  return row ?? throwNumberTaken(accountId, contact.phoneNumber, tx);
}

/** The contact that has a number; it may be deleted. */
interface NumberHolder {
  readonly id: RecordId;
  readonly deleted: boolean;
}

/**
 * Checks that no other contact has a number. The unique constraint has the final say, but without this check two
 * contacts swapping numbers would deadlock in it.
 *
 * @throws DomainError `not_found` when the contact is unknown, deleted or in another account; `conflict` naming the
 * contact that has the number
 */
export async function rejectTakenNumber(accountId: string, id: RecordId, phone: PhoneNumber, tx: Tx): Promise<void> {
  const found = await tx.rows<NumberHolder>(
    `SELECT id, deleted_at IS NOT NULL AS deleted FROM contacts WHERE account_id = $1 AND id = $2
     UNION
     SELECT id, deleted_at IS NOT NULL FROM contacts WHERE account_id = $1 AND phone_number = $3`,
    [accountId, id, phone],
  );
  if (!found.some((contact) => contact.id === id && !contact.deleted)) throw contactNotFound(id);
  const holder = found.find((contact) => contact.id !== id);
  if (holder !== undefined) throw phoneNumberTaken(phone, holder.id, holder.deleted);
}

/**
 * Changes a contact. Replacing its number clears the `wa_id`, user id and username, which belonged to the old number;
 * setting a first number keeps them. If the new number belongs to a person who was erased after opting out, the contact
 * is opted out, unless `changes` sets `optedIn`.
 *
 * @throws DomainError `not_found` when it is unknown, deleted or in another account
 */
export async function changeContact(
  accountId: string,
  id: RecordId,
  changes: ContactChanges,
  tx: Tx,
): Promise<ContactRow> {
  const { phoneNumber, optedIn } = changes;
  const set = CHANGEABLE.filter(([field]) => changes[field] !== undefined);
  const assignments = set
    .map(
      ([field, column], index) =>
        `${column} = $${index + 3}, ${field === 'optedIn' ? consentDated(`$${index + 3}`) : ''}`,
    )
    .join('');
  // The number is the first settable column, so its parameter is always $3.
  const identity = phoneNumber === undefined ? '' : IDENTITY_OF_NUMBER;
  const decides = phoneNumber !== undefined && optedIn === undefined;
  const row = await tx.row<ContactRow>(
    `UPDATE contacts c SET ${assignments}${identity}${decides ? CONSENT_OF_NUMBER : ''}updated_at = now()
     ${decides ? `FROM ${suppressedOf('$1', `$${set.length + 3}`)}` : ''}
     WHERE c.account_id = $1 AND c.id = $2 AND c.deleted_at IS NULL
     RETURNING ${CONTACT_COLUMNS}`,
    [
      accountId,
      id,
      ...set.map(([field]) => changes[field]),
      ...(decides ? [identityHashOf(tx)(accountId, phoneNumber)] : []),
    ],
  );
  if (row === null) throw contactNotFound(id);
  return row;
}

/**
 * Opting out takes effect immediately. Repeating an opt-in keeps its timestamp, so that an opt-out still in flight
 * wins.
 */
const consentDated = (given: string): string =>
  `consent_at = CASE WHEN ${given} AND c.opted_in THEN c.consent_at ELSE date_trunc('second', now()) END, `;

const IDENTITY_OF_NUMBER = `wa_id = CASE WHEN c.phone_number = $3 THEN c.wa_id END,
       user_id = CASE WHEN coalesce(c.phone_number = $3, true) THEN c.user_id END,
       username = CASE WHEN coalesce(c.phone_number = $3, true) THEN c.username END, `;

const CONSENT_OF_NUMBER = `opted_in = c.opted_in AND (c.phone_number IS NOT DISTINCT FROM $3 OR suppressed.at IS NULL),
       consent_at = CASE WHEN c.phone_number IS NOT DISTINCT FROM $3 THEN c.consent_at
                         ELSE greatest(c.consent_at, suppressed.at) END, `;

/** The INSERT has locked the conflicting row, so that contact still has the number. */
async function throwNumberTaken(accountId: string, phoneNumber: PhoneNumber, tx: Tx): Promise<never> {
  const holder = await tx.manager.findOneBy(Contact, { accountId, phoneNumber });
  if (holder === null) throw new Error('a phone number conflicted, but no contact has it');
  throw phoneNumberTaken(phoneNumber, holder.id, holder.deletedAt !== null);
}

/**
 * Marks a contact as deleted and locks its row until the transaction ends.
 *
 * @returns whether there was such a contact
 */
export async function markContactDeleted(accountId: string, id: RecordId, tx: Tx): Promise<boolean> {
  const live = { accountId, id, deletedAt: IsNull() };
  const { affected } = await tx.manager.update(Contact, live, { deletedAt: () => 'now()', updatedAt: () => 'now()' });
  return affected === 1;
}

/**
 * Removes contacts from all their groups. The caller must have locked the contacts, so that they cannot be added again
 * meanwhile. As everywhere, groups are locked before their members.
 */
export async function leaveAllGroups(accountId: string, ids: readonly RecordId[], tx: Tx): Promise<void> {
  await tx.rows(
    `SELECT g.id FROM contact_groups g
     WHERE g.account_id = $1
       AND g.id IN (SELECT m.group_id FROM group_members m WHERE m.account_id = $1 AND m.contact_id = ANY ($2::uuid[]))
     ORDER BY g.id
     FOR NO KEY UPDATE`,
    [accountId, ids],
  );
  await tx.affected('DELETE FROM group_members WHERE account_id = $1 AND contact_id = ANY ($2::uuid[])', [
    accountId,
    ids,
  ]);
}
