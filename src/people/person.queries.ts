import type { Tx } from '../database/unit-of-work.js';
import type { PhoneNumber } from '../values/phone-number.js';
import type { UserId } from '../values/user-id.js';
import { Contact, type ContactSource } from './contact.entity.js';
import { dropNumberAlias, findByIdentity, saveUserId } from './contact-identity.queries.js';
import { type EnsuredContact, ensureContactOfUser, ensureContacts } from './ensured-contacts.queries.js';
import type { UserIdentity } from './learned-identity.js';
import { learnNumber, learnUser } from './learning.js';

/** A person as the network describes them: by a number, a user id, or both. */
export interface Person {
  readonly phoneNumber: PhoneNumber | null;
  readonly userId: UserId | null;
  readonly username: string | null;
  /** The profile name. */
  readonly name: string | null;
}

/**
 * Makes sure that the sender of a message is a contact, found by any spelling of the number and by the user id. The
 * caller must retry its transaction on `isIdentityRace`. A contact without a number cannot be merged until the
 * transaction ends.
 *
 * @param at when the message was written: a number that its person had left by then is somebody else's
 */
export async function ensurePerson(
  accountId: string,
  person: Person,
  source: ContactSource,
  at: Date,
  tx: Tx,
): Promise<EnsuredContact> {
  const { phoneNumber, userId, username, name } = person;
  if (phoneNumber === null) {
    if (userId === null) throw new Error('a person must have a number or a user id');
    const contact = await ensureContactOfUser(accountId, { userId, name }, source, tx);
    return withUserId(contact, { userId, username }, tx);
  }
  const { ofNumber, ofUser, numberLeftAt } = await findByIdentity(accountId, phoneNumber, userId, tx);
  const isReassigned =
    numberLeftAt !== null && (at > numberLeftAt || (userId !== null && (ofUser?.id ?? null) !== ofNumber?.id));
  if (isReassigned) await dropNumberAlias(accountId, phoneNumber, ofNumber === null ? [] : [ofNumber.id], tx);
  else if (ofNumber === null && ofUser !== null) await learnNumber(accountId, ofUser.id, phoneNumber, tx);
  const [contact] = await ensureContacts(accountId, [{ phoneNumber, name }], source, tx);
  if (contact === undefined) throw new Error(`contact ${phoneNumber} was not stored`);
  const spelled = await withSpelling(contact, phoneNumber, numberLeftAt === null || isReassigned, tx);
  return userId === null ? spelled : withUserId(spelled, { userId, username }, tx);
}

/** Messages are sent to the number that the person writes from. */
async function withSpelling(
  contact: EnsuredContact,
  number: PhoneNumber,
  isCurrent: boolean,
  tx: Tx,
): Promise<EnsuredContact> {
  if (!isCurrent || number === contact.phoneNumber || number === contact.waId) return contact;
  await learnNumber(contact.accountId, contact.id, number, tx);
  return { ...contact, waId: number };
}

async function withUserId(contact: EnsuredContact, user: UserIdentity, tx: Tx): Promise<EnsuredContact> {
  const { accountId, id } = contact;
  if (contact.userId !== user.userId) {
    const kept = await learnUser(accountId, id, user, tx);
    // A merge may also have changed id, name and consent.
    const current = await tx.manager.findOneByOrFail(Contact, { accountId, id: kept });
    return { ...current, identity: contact.identity };
  }
  if (user.username !== null && user.username !== contact.username) await saveUserId(accountId, id, user, tx);
  return contact;
}
