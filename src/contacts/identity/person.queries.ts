import { isConflict } from '../../database/connections/passing-error.js';
import { violatedUniqueConstraint } from '../../database/sql/constraint-violation.js';
import type { Tx } from '../../database/unit-of-work.js';
import type { PhoneNumber } from '../../values/phone-number.js';
import type { RecordId } from '../../values/record-id.js';
import type { UserId } from '../../values/user-id.js';
import { Contact, type ContactSource } from '../contact.entity.js';
import {
  findByIdentity,
  giveNumber,
  keepUserId,
  lockIdentities,
  releaseUserId,
  type UserIdentity,
} from './contact-identity.queries.js';
import { mergeContact } from './contact-merge.queries.js';
import { type EnsuredContact, ensureContactOfUser, ensureContacts } from './ensured-contacts.queries.js';

// People by number and user id: the two become one contact as soon as the network names them together, also where they
// were two contacts until then.

/** Somebody as the network describes them: by a number, a user id, or both. */
export interface Person {
  readonly phoneNumber: PhoneNumber | null;
  readonly userId: UserId | null;
  readonly username: string | null;
  /** The profile's name. */
  readonly name: string | null;
}

/** Unique constraints in which transactions about the same person meet. Those of partitions have a month in their names. */
const MEETING_PLACE = /^(?:contacts_(?:phone_number|user_id)_key|conversations_pkey|campaign_recipients_\w*pkey)$/;

/** Whether a transaction met another one about the same person: the next try sees what that one has done. */
export const isIdentityRace = (error: unknown): boolean =>
  isConflict(error) || MEETING_PLACE.test(violatedUniqueConstraint(error) ?? '');

/**
 * Makes sure that somebody is a contact. The caller's transaction is to be tried again when {@link isIdentityRace}. A
 * contact without a number is locked against being merged until the transaction ends.
 */
export async function ensurePerson(
  accountId: string,
  { phoneNumber, userId, username, name }: Person,
  source: ContactSource,
  tx: Tx,
): Promise<EnsuredContact> {
  if (phoneNumber === null) {
    if (userId === null) throw new Error('a person has a number or a user id');
    const contact = await ensureContactOfUser(accountId, { userId, name }, source, tx);
    return withUserId(contact, { userId, username }, tx);
  }
  const { ofNumber, ofUser } = await findByIdentity(accountId, phoneNumber, userId, tx);
  if (ofNumber === null && ofUser !== null && ofUser.phoneNumber === null) {
    await giveNumber(accountId, ofUser.id, phoneNumber, tx);
  }
  const known = ofNumber?.phoneNumber ?? phoneNumber;
  const [contact] = await ensureContacts(accountId, [{ phoneNumber: known, name }], source, tx);
  if (contact === undefined) throw new Error(`contact ${known} was not stored`);
  return userId === null ? contact : withUserId(contact, { userId, username }, tx);
}

async function withUserId(contact: EnsuredContact, user: UserIdentity, tx: Tx): Promise<EnsuredContact> {
  const { accountId, id } = contact;
  if (contact.userId !== user.userId) {
    await uniteIdentities(accountId, id, user, tx);
    // A merge may have changed name and consent as well.
    return tx.manager.findOneByOrFail(Contact, { accountId, id });
  }
  if (user.username !== null && user.username !== contact.username) await keepUserId(accountId, id, user, tx);
  return contact;
}

/**
 * Gives a contact the user id that came together with its number. Somebody without a number who has it so far is the
 * same person and is merged into the contact; from somebody with another number it is taken away.
 */
export async function uniteIdentities(accountId: string, id: RecordId, user: UserIdentity, tx: Tx): Promise<void> {
  const held = await lockIdentities(accountId, id, user.userId, tx);
  if (!held.some((contact) => contact.id === id)) return;
  const other = held.find((contact) => contact.id !== id);
  if (other?.phoneNumber === null) await mergeContact(accountId, id, other.id, tx);
  else if (other !== undefined) await releaseUserId(accountId, other.id, tx);
  await keepUserId(accountId, id, user, tx);
}
