import { isConflict } from '../../database/connections/transient-errors.js';
import { violatedUniqueConstraint } from '../../database/sql/constraint-violation.js';
import type { Tx } from '../../database/unit-of-work.js';
import type { PhoneNumber } from '../../values/phone-number.js';
import type { RecordId } from '../../values/record-id.js';
import type { UserId } from '../../values/user-id.js';
import { Contact, type ContactSource } from '../contact.entity.js';
import {
  addNumber,
  clearUserId,
  findByIdentity,
  lockIdentities,
  saveUserId,
  type UserIdentity,
} from './contact-identity.queries.js';
import { mergeContact } from './contact-merge.queries.js';
import { type EnsuredContact, ensureContactOfUser, ensureContacts } from './ensured-contacts.queries.js';

// Finds people by number and user id. As soon as the network names the two together they become one contact, even if
// they were two contacts before.

/** A person as the network describes them: by a number, a user id, or both. */
export interface Person {
  readonly phoneNumber: PhoneNumber | null;
  readonly userId: UserId | null;
  readonly username: string | null;
  /** The profile name. */
  readonly name: string | null;
}

/**
 * Unique constraints that concurrent transactions about one person may violate. Those of partitions contain a month.
 */
const RACE_CONSTRAINTS = /^(?:contacts_(?:phone_number|user_id)_key|conversations_pkey|campaign_recipients_\w*pkey)$/;

/** Whether a transaction conflicted with another one about the same person; a retry sees the other one's result. */
export const isIdentityRace = (error: unknown): boolean =>
  isConflict(error) || RACE_CONSTRAINTS.test(violatedUniqueConstraint(error) ?? '');

/**
 * Makes sure that a person is a contact. The caller must retry its transaction on {@link isIdentityRace}. A contact
 * without a number cannot be merged until the transaction ends.
 */
export async function ensurePerson(
  accountId: string,
  { phoneNumber, userId, username, name }: Person,
  source: ContactSource,
  tx: Tx,
): Promise<EnsuredContact> {
  if (phoneNumber === null) {
    if (userId === null) throw new Error('a person must have a number or a user id');
    const contact = await ensureContactOfUser(accountId, { userId, name }, source, tx);
    return withUserId(contact, { userId, username }, tx);
  }
  const { ofNumber, ofUser } = await findByIdentity(accountId, phoneNumber, userId, tx);
  if (ofNumber === null && ofUser !== null && ofUser.phoneNumber === null) {
    await addNumber(accountId, ofUser.id, phoneNumber, tx);
  }
  const known = ofNumber?.phoneNumber ?? phoneNumber;
  const [contact] = await ensureContacts(accountId, [{ phoneNumber: known, name }], source, tx);
  if (contact === undefined) throw new Error(`contact ${known} was not stored`);
  return userId === null ? contact : withUserId(contact, { userId, username }, tx);
}

async function withUserId(contact: EnsuredContact, user: UserIdentity, tx: Tx): Promise<EnsuredContact> {
  const { accountId, id } = contact;
  if (contact.userId !== user.userId) {
    await mergeIdentities(accountId, id, user, tx);
    // A merge may also have changed name and consent.
    return tx.manager.findOneByOrFail(Contact, { accountId, id });
  }
  if (user.username !== null && user.username !== contact.username) await saveUserId(accountId, id, user, tx);
  return contact;
}

/**
 * Gives a contact the user id that the network named together with its number. If another contact has the user id, that
 * one is merged into this contact if it has no number; otherwise it loses the user id.
 */
export async function mergeIdentities(accountId: string, id: RecordId, user: UserIdentity, tx: Tx): Promise<void> {
  const held = await lockIdentities(accountId, id, user.userId, tx);
  if (!held.some((contact) => contact.id === id)) return;
  const other = held.find((contact) => contact.id !== id);
  if (other?.phoneNumber === null) await mergeContact(accountId, id, other.id, tx);
  else if (other !== undefined) await clearUserId(accountId, other.id, tx);
  await saveUserId(accountId, id, user, tx);
}
