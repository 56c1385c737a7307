import { IsNull } from 'typeorm';
import { identityHashesOf } from '../consent/identity-hashes.service.js';
import {
  CONSENT_COLUMNS,
  consentOfNew,
  LEDGER_COLUMNS,
  SUPPRESSED_DECISION,
  suppressedOf,
  suppressionHashes,
} from '../consent/suppression.queries.js';
import { NEWEST_FIRST } from '../database/sql/list-order.js';
import { type Counted, pagedRows, pageFromNearerEnd } from '../database/sql/page-sql.js';
import type { Database, Tx } from '../database/unit-of-work.js';
import { Contact } from '../people/contact.entity.js';
import {
  COLUMN_NAMES,
  type ContactRow,
  columnList,
  DETAIL_COLUMNS,
  fieldOf,
  GIVEN_COLUMNS,
  type GivenFields,
} from '../people/contact-columns.js';
import { dropNumberAlias } from '../people/contact-identity.queries.js';
import { hasNumber, PHONE_NUMBER_CONFLICT } from '../people/person-keys.js';
import type { Page, Paged } from '../values/page.js';
import type { PhoneNumber } from '../values/phone-number.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import type { UserId } from '../values/user-id.js';
import { contactNotFound, phoneNumberTaken } from './contacts.errors.js';

/** A contact as a caller creates it. */
export interface NewContact extends GivenFields {
  readonly phoneNumber: PhoneNumber;
}

/** The fields a caller may change; undefined fields stay as they are. */
export type ContactChanges = { readonly [Field in keyof NewContact]: NewContact[Field] | undefined };

/** The columns of a {@link ContactRow}, of contact `c`. */
export const CONTACT_COLUMNS = columnList('c', COLUMN_NAMES);

/** The unique index on numbers, and its ON CONFLICT target. Contacts that hide their number are not in it. */
export const PHONE_NUMBER_KEY = 'contacts_phone_number_key';

/** Returns null when the contact is unknown, deleted or in another account. */
export const findContact = (accountId: string, id: RecordId, db: Database): Promise<ContactRow | null> =>
  db.manager.findOneBy(Contact, { accountId, id, deletedAt: IsNull() });

/** Selects the contacts of the CTE `page`, newest first, each with the total from the CTE `counted`. */
export const CONTACTS_OF_PAGE = `SELECT counted.found, ${CONTACT_COLUMNS}, ${NEWEST_FIRST.position('c')}
     FROM counted LEFT JOIN contacts c ON c.account_id = $1 AND c.id = ANY (ARRAY(SELECT id FROM page))
     ${NEWEST_FIRST.by('c')}`;

/**
 * Returns one page of contacts, newest first. The total comes from a maintained counter. The offset is skipped in the
 * index, from whichever end is nearer, before any row is read.
 */
export async function listContacts(accountId: string, page: Page, db: Database): Promise<Paged<ContactRow>> {
  const live = 'SELECT id, created_at FROM contacts WHERE account_id = $1 AND deleted_at IS NULL';
  const rows = await db.rows<Counted<ContactRow>>(
    `WITH counted AS (
       SELECT coalesce(sum(amount), 0)::integer AS found FROM counter_amounts
       WHERE account_id = $1 AND counter = 'contacts' AND subject_id = $1
     ), page AS MATERIALIZED (
       ${pageFromNearerEnd([live], NEWEST_FIRST, page)}
     )
     ${CONTACTS_OF_PAGE}`,
    [accountId, ...NEWEST_FIRST.parameters(page)],
  );
  return pagedRows(rows, 'id', page);
}

/**
 * Creates a contact, or restores the deleted one with this number. A restored contact keeps its id, `created_at`,
 * `source` and consent; everything else is overwritten. A person who opted out while they had no contact starts opted
 * out.
 *
 * @throws DomainError `conflict` naming the contact that has the number; 503 when there is none and nobody can tell
 * whether the person has opted out
 */
export async function createContact(accountId: string, contact: NewContact, tx: Tx): Promise<ContactRow> {
  const hashes = identityHashesOf(tx);
  if (!hashes.isReadable && (await findHolder(accountId, contact.phoneNumber, tx)) === null) {
    throw hashes.unreadable('no contact was created');
  }
  const written = await writeContact(accountId, contact, tx);
  if (written !== null) return written;
  const holder = await findHolder(accountId, contact.phoneNumber, tx);
  if (holder === null) throw new Error('a phone number conflicted, but no contact has it');
  if (holder.movedAt !== null) {
    // Its person has another number now, so this is somebody else.
    await dropNumberAlias(accountId, contact.phoneNumber, [holder.id], tx);
    return createContact(accountId, contact, tx);
  }
  if (!holder.deleted) throw phoneNumberTaken(contact.phoneNumber, holder.id);
  // The number leads to a deleted contact, whose own one is another.
  return createContact(accountId, { ...contact, phoneNumber: holder.phoneNumber ?? contact.phoneNumber }, tx);
}

/** The parameters of {@link writeContact}: after the account and the id the given columns, then the hash. */
const GIVEN = GIVEN_COLUMNS.map((name, index) => `$${index + 3}${name === 'tags' ? '::text[]' : ''}`).join(', ');
const HASH = `$${GIVEN_COLUMNS.length + 3}`;

async function writeContact(accountId: string, contact: NewContact, tx: Tx): Promise<ContactRow | null> {
  const [hash] = await suppressionHashes([{ accountId, identity: contact.phoneNumber }], tx);
  return tx.row<ContactRow>(
    `WITH written AS (
       INSERT INTO contacts AS c (account_id, id, ${GIVEN_COLUMNS.join(', ')}, source, ${CONSENT_COLUMNS})
       SELECT $1::uuid, $2::uuid, ${GIVEN}, 'api', ${consentOfNew(`${HASH}::text`)}
       FROM (SELECT) one LEFT JOIN ${suppressedOf('$1', HASH)}
       ON CONFLICT ${PHONE_NUMBER_CONFLICT} DO UPDATE
       SET ${DETAIL_COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')},
           deleted_at = NULL, updated_at = now()
       WHERE c.deleted_at IS NOT NULL AND c.merged_into IS NULL
       RETURNING ${CONTACT_COLUMNS}
     ), decided AS (
       INSERT INTO ${LEDGER_COLUMNS}
       SELECT $1::uuid, w.id, ${SUPPRESSED_DECISION}
       FROM written w JOIN ${suppressedOf('$1', HASH)} WHERE w.id = $2
     )
     SELECT * FROM written`,
    [accountId, newRecordId(), ...GIVEN_COLUMNS.map((name) => contact[fieldOf(name)]), hash ?? null],
  );
}

/** A contact after a change, whether it got another number, and what it was known by before. */
export type ChangedContact = ContactRow &
  Readonly<Pick<Contact, 'consentAt' | 'consentBy'>> & {
    readonly renumbered: boolean;
    readonly formerNumber: PhoneNumber | null;
    readonly formerWaId: PhoneNumber | null;
    readonly formerUserId: UserId | null;
  };

/** The contact that a number leads to; it may be deleted. */
interface NumberHolder {
  readonly id: RecordId;
  /** Its own number. */
  readonly phoneNumber: PhoneNumber | null;
  readonly deleted: boolean;
  /** Since when its person has another number; null: they have this one. */
  readonly movedAt: Date | null;
}

/**
 * Checks that no other contact has a number. The unique constraint has the final say, but without this check two
 * contacts swapping numbers would deadlock in it.
 *
 * @returns the deleted contact that has the number, or null
 * @throws DomainError `not_found` when the contact is unknown, deleted or in another account; `conflict` naming the
 * contact that has the number
 */
export async function rejectTakenNumber(
  accountId: string,
  id: RecordId,
  phone: PhoneNumber,
  db: Database,
): Promise<RecordId | null> {
  if ((await findContact(accountId, id, db)) === null) throw contactNotFound(id);
  const holder = await findHolder(accountId, phone, db);
  if (holder === null || holder.id === id || holder.movedAt !== null) return null;
  if (!holder.deleted) throw phoneNumberTaken(phone, holder.id);
  return holder.id;
}

/**
 * Changes a contact. Replacing its number by one that is not another spelling of it clears the `wa_id`, user id and
 * username, which belonged to the old number; setting a first number keeps them.
 *
 * @throws DomainError `not_found` when it is unknown, deleted or in another account
 */
export async function changeContact(
  accountId: string,
  id: RecordId,
  changes: ContactChanges,
  db: Database,
): Promise<ChangedContact> {
  const { phoneNumber } = changes;
  // In a fixed order, so that similar requests share one prepared statement.
  const set = GIVEN_COLUMNS.filter((name) => changes[fieldOf(name)] !== undefined);
  const assignments = set.map((name, index) => `${name} = $${index + 3}, `).join('');
  // The number is the first of the columns, so its parameter is always $3.
  const identity = phoneNumber === undefined ? '' : IDENTITY_OF_NUMBER;
  const row = await db.row<ChangedContact>(
    `WITH former AS MATERIALIZED (
       SELECT phone_number, wa_id, user_id FROM contacts
       WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL
       FOR UPDATE
     )
     UPDATE contacts c SET ${assignments}${identity}updated_at = now()
     FROM former
     WHERE c.account_id = $1 AND c.id = $2 AND c.deleted_at IS NULL
     RETURNING ${CONTACT_COLUMNS}, c.consent_at, c.consent_by,
               number_key(c.phone_number) IS DISTINCT FROM number_key(former.phone_number) AS renumbered, former.phone_number AS former_number,
               former.wa_id AS former_wa_id, former.user_id AS former_user_id`,
    [accountId, id, ...set.map((name) => changes[fieldOf(name)])],
  );
  if (row === null) throw contactNotFound(id);
  return row;
}

const SAME_NUMBER = 'number_key(c.phone_number) = number_key($3)';
const IDENTITY_OF_NUMBER = `is_duplicate = c.is_duplicate AND ${SAME_NUMBER},
       wa_id = CASE WHEN ${SAME_NUMBER} THEN nullif(c.wa_id, $3) END,
       user_id = CASE WHEN coalesce(${SAME_NUMBER}, true) THEN c.user_id END,
       username = CASE WHEN coalesce(${SAME_NUMBER}, true) THEN c.username END, `;

/** The contact that a number in any spelling leads to, deleted or not. */
const findHolder = (accountId: string, phoneNumber: PhoneNumber, db: Database): Promise<NumberHolder | null> =>
  db.row<NumberHolder>(
    `SELECT c.id, c.phone_number, c.deleted_at IS NOT NULL AS deleted, a.moved_at
     FROM contacts a JOIN contacts c ON c.account_id = a.account_id AND c.id = coalesce(a.merged_into, a.id)
     WHERE a.account_id = $1 AND ${hasNumber('a', '$2')}`,
    [accountId, phoneNumber],
  );

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
