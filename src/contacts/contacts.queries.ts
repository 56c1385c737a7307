import { type Counted, pagedRows, pageFromNearerEnd } from '../database/page-sql.js';
import type { Tx } from '../database/unit-of-work.js';
import { offsetOf, type Page, type Paged } from '../values/page.js';
import type { PhoneNumber } from '../values/phone-number.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import type { ContactName } from './contact-name.js';
import { contactNotFound, phoneNumberTaken } from './contacts.errors.js';

/** Where a contact first came from. */
export type ContactSource = 'api' | 'import' | 'inbound' | 'campaign' | 'send';

/** A contact that is not deleted. */
export interface ContactRow {
  readonly id: RecordId;
  readonly first_name: string;
  readonly last_name: string | null;
  readonly phone_number: PhoneNumber;
  readonly email: string | null;
  readonly company: string | null;
  readonly tags: string[];
  readonly opted_in: boolean;
  readonly source: ContactSource;
  readonly created_at: Date;
}

/** What a caller says about a contact when creating it. */
export interface NewContact extends ContactName {
  readonly phoneNumber: PhoneNumber;
  readonly email: string | null;
  readonly company: string | null;
  readonly tags: string[];
}

/** What a caller may change of a contact; what is undefined stays. */
export type ContactChanges = { readonly [Field in keyof ChangeableContact]: ChangeableContact[Field] | undefined };
type ChangeableContact = NewContact & { readonly optedIn: boolean };

const COLUMNS = [
  'id',
  'first_name',
  'last_name',
  'phone_number',
  'email',
  'company',
  'tags',
  'opted_in',
  'source',
  'created_at',
];
const columnsOf = (alias: string): string => COLUMNS.map((column) => `${alias}.${column}`).join(', ');

/** Columns that a PATCH may set, in a fixed order so that like requests share one prepared statement. */
const CHANGEABLE: readonly [keyof ContactChanges, string][] = [
  ['phoneNumber', 'phone_number'],
  ['firstName', 'first_name'],
  ['lastName', 'last_name'],
  ['email', 'email'],
  ['company', 'company'],
  ['tags', 'tags'],
  ['optedIn', 'opted_in'],
];

export const PHONE_NUMBER_KEY = 'contacts_phone_number_key';

/** The contact, or null when it is unknown, foreign or deleted. */
export function findContact(accountId: string, id: RecordId, tx: Tx): Promise<ContactRow | null> {
  return tx.row<ContactRow>(
    `SELECT ${columnsOf('c')} FROM contacts c WHERE c.account_id = $1 AND c.id = $2 AND c.deleted_at IS NULL`,
    [accountId, id],
  );
}

/**
 * The contacts of `page` in its order, each with the number in `counted`. OFFSET 0 keeps it a look-up for each: a prepared
 * plan does not know how small a page is, takes it for a tenth of the table and would read all of that.
 */
export const CONTACTS_OF_PAGE = `SELECT counted.found, ${columnsOf('c')}
     FROM counted LEFT JOIN (
       page CROSS JOIN LATERAL (SELECT * FROM contacts r WHERE r.account_id = $1 AND r.id = page.id OFFSET 0) c
     ) ON true
     ORDER BY page.created_at DESC, page.id DESC`;

/**
 * One page of all contacts, newest first. The total comes from the maintained counter, and the offset is counted off in
 * the index, from its nearer end, before any row is read.
 */
export async function listContacts(accountId: string, page: Page, tx: Tx): Promise<Paged<ContactRow>> {
  const live = 'SELECT id, created_at FROM contacts WHERE account_id = $1 AND deleted_at IS NULL';
  const rows = await tx.rows<Counted<ContactRow>>(
    `WITH counted AS (
       SELECT (
         coalesce((SELECT t.total FROM contact_totals t WHERE t.account_id = $1), 0)
         + coalesce((SELECT sum(n.change) FROM contact_total_changes n WHERE n.account_id = $1), 0)
       )::integer AS found
     ), page AS MATERIALIZED (
       ${pageFromNearerEnd([live], ['created_at', 'id'])}
     )
     ${CONTACTS_OF_PAGE}`,
    [accountId, page.limit, offsetOf(page)],
  );
  return pagedRows(rows, 'id');
}

/**
 * Creates a contact, or revives the deleted one with this number: same id, `created_at`, `source` and consent, all else
 * as given (D77).
 *
 * @throws DomainError `conflict` naming the contact that has the number
 */
export async function createContact(accountId: string, contact: NewContact, tx: Tx): Promise<ContactRow> {
  const row = await tx.row<ContactRow>(
    `INSERT INTO contacts AS c (account_id, id, phone_number, first_name, last_name, email, company, tags, source)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'api')
     ON CONFLICT ON CONSTRAINT ${PHONE_NUMBER_KEY} DO UPDATE
     SET first_name = excluded.first_name, last_name = excluded.last_name, email = excluded.email,
         company = excluded.company, tags = excluded.tags, deleted_at = NULL, updated_at = now()
     WHERE c.deleted_at IS NOT NULL
     RETURNING ${columnsOf('c')}`,
    [
      accountId,
      newRecordId(),
      contact.phoneNumber,
      contact.firstName,
      contact.lastName,
      contact.email,
      contact.company,
      contact.tags,
    ],
  );
  return row ?? refusePhoneNumber(accountId, contact.phoneNumber, tx);
}

/** Who has a number, deleted or not. */
interface NumberHolder {
  readonly id: RecordId;
  readonly deleted: boolean;
}

/**
 * Whether a contact can be given a number, as things stand; the constraint decides. Asked before the change, because two
 * contacts that change places would wait for one another in it.
 *
 * @throws DomainError `not_found` when the contact is unknown, foreign or deleted; `conflict` naming who has the number
 */
export async function refuseTakenNumber(accountId: string, id: RecordId, phone: PhoneNumber, tx: Tx): Promise<void> {
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
 * Changes a contact. One with another number is no longer known by what the network called the old one (D69).
 *
 * @throws DomainError `not_found` when it is unknown, foreign or deleted
 */
export async function changeContact(
  accountId: string,
  id: RecordId,
  changes: ContactChanges,
  tx: Tx,
): Promise<ContactRow> {
  const set = CHANGEABLE.filter(([field]) => changes[field] !== undefined);
  const assignments = set
    .map(
      ([field, column], index) =>
        `${column} = $${index + 3}, ${field === 'optedIn' ? consentDated(`$${index + 3}`) : ''}`,
    )
    .join('');
  // The number is the first of the columns that can be set.
  const identity = changes.phoneNumber === undefined ? '' : IDENTITY_OF_NUMBER;
  const row = await tx.row<ContactRow>(
    `UPDATE contacts c SET ${assignments}${identity}updated_at = now()
     WHERE c.account_id = $1 AND c.id = $2 AND c.deleted_at IS NULL
     RETURNING ${columnsOf('c')}`,
    [accountId, id, ...set.map(([field]) => changes[field])],
  );
  if (row === null) throw contactNotFound(id);
  return row;
}

/** A no counts from now on; a yes that repeats one says nothing new, and a no that is still under way comes after it. */
const consentDated = (given: string): string =>
  `consent_at = CASE WHEN ${given} AND c.opted_in THEN c.consent_at ELSE date_trunc('second', now()) END, `;

const IDENTITY_OF_NUMBER = `wa_id = CASE WHEN c.phone_number = $3 THEN c.wa_id END,
       network_user_id = CASE WHEN c.phone_number = $3 THEN c.network_user_id END, `;

/** The conflicting row is locked by the statement that met it, so its holder cannot have moved on. */
async function refusePhoneNumber(accountId: string, phone: PhoneNumber, tx: Tx): Promise<never> {
  const holder = await tx.row<NumberHolder>(
    'SELECT id, deleted_at IS NOT NULL AS deleted FROM contacts WHERE account_id = $1 AND phone_number = $2',
    [accountId, phone],
  );
  if (holder === null) throw new Error('a number that was taken belongs to nobody: contacts are never erased');
  throw phoneNumberTaken(phone, holder.id, holder.deleted);
}

/** Marks a contact as deleted; whether there was one. Its row stays locked until the transaction ends. */
export async function markContactDeleted(accountId: string, id: RecordId, tx: Tx): Promise<boolean> {
  const changed = await tx.affected(
    `UPDATE contacts SET deleted_at = now(), updated_at = now()
     WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL`,
    [accountId, id],
  );
  return changed === 1;
}

/**
 * Takes a contact out of all its groups. Its row must be locked, so that nobody adds it meanwhile; the groups are locked
 * before their members, as everyone does.
 */
export async function leaveAllGroups(accountId: string, id: RecordId, tx: Tx): Promise<void> {
  await tx.rows(
    `SELECT g.id FROM contact_groups g
     WHERE g.account_id = $1
       AND g.id IN (SELECT m.group_id FROM group_members m WHERE m.account_id = $1 AND m.contact_id = $2)
     ORDER BY g.id
     FOR NO KEY UPDATE`,
    [accountId, id],
  );
  await tx.affected('DELETE FROM group_members WHERE account_id = $1 AND contact_id = $2', [accountId, id]);
}
