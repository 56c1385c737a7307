import { ConsentLedger } from '../consent/consent-ledger.js';
import { isConflict } from '../database/connections/transient-errors.js';
import { violatedUniqueConstraint } from '../database/sql/constraint-violation.js';
import type { Tx } from '../database/unit-of-work.js';
import { numberKey } from '../values/number-key.js';
import type { PhoneNumber } from '../values/phone-number.js';
import type { RecordId } from '../values/record-id.js';
import type { UserId } from '../values/user-id.js';
import {
  addAlias,
  addNumber,
  clearNumber,
  clearUserId,
  dropAliasesOf,
  dropNumberAlias,
  dropUserAlias,
  findByIdentity,
  findKnown,
  type KnownIdentities,
  type KnownIdentity,
  type LockedIdentity,
  lockContacts,
  markNumberLeft,
  replaceNumber,
  saveSpelling,
  saveUserId,
} from './contact-identity.queries.js';
import { mergeContacts } from './contact-merge.queries.js';
import { ContactMerged } from './ensured-contacts.queries.js';
import type { ToldIdentity, UserIdentity } from './learned-identity.js';

// What the network teaches about a person, whatever it comes by: an answer, a report, a message or a notice. All of it
// is stored here. As soon as the network names two contacts as one person they become one contact. Callers retry their
// transaction on `isIdentityRace`.

/**
 * Unique constraints that concurrent transactions about one person may violate. Those of partitions contain a month.
 */
const RACE_CONSTRAINTS = /^(?:contacts_(?:phone_number|user_id)_key|conversations_pkey|campaign_recipients_\w*pkey)$/;

/** Whether a transaction conflicted with another one about the same person; a retry sees the other one's result. */
export const isIdentityRace = (error: unknown): boolean =>
  isConflict(error) || error instanceof ContactMerged || RACE_CONSTRAINTS.test(violatedUniqueConstraint(error) ?? '');

/** A contact, and those that have what the network says that it is known by. All are locked. */
interface LockedPeople extends KnownIdentities {
  readonly contact: KnownIdentity;
  readonly locked: readonly LockedIdentity[];
}

/**
 * Locks a contact and those that have what the network says that it is known by. Read before the locks were there, they
 * may have moved on meanwhile, to another number for instance.
 *
 * @returns null when the contact is unknown or was erased
 */
async function lockPeople(
  accountId: string,
  contactId: RecordId,
  { phoneNumber, userId }: NewIdentity,
  tx: Tx,
): Promise<LockedPeople | null> {
  const look = async () => {
    const contact = await findKnown(accountId, contactId, tx);
    return contact && { contact, ...(await findByIdentity(accountId, phoneNumber, userId, tx)) };
  };
  const seen = await look();
  if (seen === null) return null;
  const ids = idsOf(seen);
  const locked = await lockContacts(accountId, ids, tx);
  const people = await look();
  if (people === null) return null;
  if (!idsOf(people).every((id) => ids.includes(id))) throw new ContactMerged();
  return { ...people, locked };
}

const idsOf = ({ contact, ofNumber, ofUser }: Omit<LockedPeople, 'locked'>): RecordId[] => [
  ...new Set([contact, ofNumber, ofUser].flatMap((each) => (each === null ? [] : [each.id]))),
];

/**
 * Learns a number and a user id of a contact.
 *
 * @returns the contact, which may be another one after a merge
 */
export async function learnIdentity(
  accountId: string,
  contactId: RecordId,
  { number, user }: ToldIdentity,
  tx: Tx,
): Promise<RecordId> {
  const id = number === null ? contactId : await learnNumber(accountId, contactId, number, tx);
  return user === null ? id : learnUser(accountId, id, user, tx);
}

/**
 * Learns the number by which the network knows a contact, and by which the contact is found from now on, too. If another
 * contact has the number, the two become one, unless they have different user ids. A number that its person has left is
 * not learned: what names it may be about a message from before.
 *
 * @returns the contact, which may be another one after a merge
 */
export async function learnNumber(
  accountId: string,
  contactId: RecordId,
  number: PhoneNumber,
  tx: Tx,
): Promise<RecordId> {
  const locked = await lockPeople(accountId, contactId, { phoneNumber: number, userId: null }, tx);
  if (locked === null) return contactId;
  const { contact, ofNumber, numberLeftAt } = locked;
  const { id, phoneNumber } = contact;
  if (numberLeftAt !== null) return id;
  if (ofNumber !== null && ofNumber.id !== id) {
    if (haveOtherUserIds(contact, ofNumber)) return id;
    const kept = await mergeContacts(accountId, id, ofNumber.id, tx);
    await saveSpelling(accountId, kept, number, tx);
    return kept;
  }
  if (phoneNumber === null) {
    if (!(await addNumber(accountId, id, number, tx))) throw new ContactMerged();
    await gained(accountId, id, [number], tx);
    return id;
  }
  if (numberKey(number) !== numberKey(phoneNumber) && ofNumber === null) {
    if (!(await addAlias(accountId, id, { number, userId: null, movedAt: null }, tx))) throw new ContactMerged();
    await gained(accountId, id, [number], tx);
  }
  await saveSpelling(accountId, id, number, tx);
  return id;
}

const haveOtherUserIds = (one: KnownIdentity, other: KnownIdentity): boolean =>
  one.userId !== null && other.userId !== null && one.userId !== other.userId;

/**
 * Learns the user id of a contact. Another contact with this user id is the same person, unless both have numbers and the
 * contact is known to be somebody else by a user id of its own: then the number has a new owner, and this contact takes
 * over user id and opt-out.
 *
 * @returns the contact, which may be another one after a merge
 */
export async function learnUser(accountId: string, contactId: RecordId, user: UserIdentity, tx: Tx): Promise<RecordId> {
  const people = await lockPeople(accountId, contactId, { phoneNumber: null, userId: user.userId }, tx);
  if (people === null) return contactId;
  const { contact, ofUser, locked } = people;
  let { id } = contact;
  if (ofUser !== null && ofUser.userId !== user.userId) {
    // A former user id of that person, who has another one now.
    return ofUser.id === id || haveOtherUserIds(contact, ofUser) ? id : mergeContacts(accountId, id, ofUser.id, tx);
  }
  const own = locked.find((each) => each.id === id);
  if (own === undefined) throw new ContactMerged();
  const other = locked.find((each) => each.id !== id);
  if (other !== undefined) {
    // Only leads to the other contact: its person has another one now.
    const isFormer = ofUser?.userId !== user.userId;
    const isSomebodyElse = other.phoneNumber !== null && own.userId !== null && own.userId !== user.userId;
    if (isSomebodyElse) {
      if (!isFormer) await clearUserId(accountId, other.id, tx);
      await ConsentLedger.takeOver(accountId, id, other, tx);
    } else id = await mergeContacts(accountId, id, other.id, tx);
  }
  if (own.userId !== null && own.userId !== user.userId)
    await ConsentLedger.leave(accountId, { ...own, identities: [own.userId] }, tx);
  await giveUserId(accountId, id, user, idsOf(people), tx);
  return id;
}

/**
 * Stores the user id of a contact. Nobody else is found by it any more.
 *
 * @param former the locked contacts that may have been found by it
 */
async function giveUserId(
  accountId: string,
  id: RecordId,
  user: UserIdentity,
  former: readonly RecordId[],
  tx: Tx,
): Promise<void> {
  await dropUserAlias(accountId, user.userId, [id, ...former], tx);
  if (await saveUserId(accountId, id, user, tx)) await gained(accountId, id, [user.userId], tx);
}

/** What the network says that a person is known by from now on; at least one is set. */
export interface NewIdentity {
  readonly phoneNumber: PhoneNumber | null;
  readonly userId: UserId | null;
}

/**
 * Applies a notice that a person has changed their number, their user id or both: the contact has the new ones from now
 * on, and what was sent under the old ones before still finds it. If they have left the new ones, too, by a later notice
 * that came first, that one holds. Whoever had the number before, and is known to be somebody else, loses it.
 *
 * @param at when they changed
 * @returns the contact, which may be another one after a merge
 */
export async function movePerson(
  accountId: string,
  contactId: RecordId,
  { phoneNumber, userId }: NewIdentity,
  at: Date,
  tx: Tx,
): Promise<RecordId> {
  const known = await lockPeople(accountId, contactId, { phoneNumber, userId }, tx);
  if (known === null) return contactId;
  const { contact: former, ofUser, numberLeftAt, userLeftAt } = known;
  let { id } = former;
  const ofNumber = isSomebodyElse(known, userId, at) ? null : known.ofNumber;
  if (phoneNumber !== null && known.ofNumber !== null && ofNumber === null && numberLeftAt === null) {
    await takeNumberFrom(accountId, known.ofNumber, phoneNumber, tx);
  }
  for (const other of [ofNumber, ofUser]) {
    if (other !== null && other.id !== id) id = await mergeContacts(accountId, id, other.id, tx);
  }
  // Times are whole seconds, and within one the order of arrival decides.
  const isOld = ofNumber !== null && numberLeftAt !== null && at < numberLeftAt;
  const number = isOld ? ofNumber.phoneNumber : phoneNumber;
  if (number !== null) await moveNumber(accountId, id, known, number, at, tx);
  const isLeft = ofUser !== null && userLeftAt !== null && at < userLeftAt;
  await moveUser(accountId, id, known, isLeft ? ofUser.userId : userId, at, tx);
  return id;
}

/** Whether the one who had the new number of a person is somebody else, who has left it or has another user id. */
function isSomebodyElse({ ofNumber, ofUser, numberLeftAt }: KnownIdentities, userId: UserId | null, at: Date): boolean {
  if (ofNumber === null || ofNumber.id === ofUser?.id) return false;
  if (numberLeftAt !== null) return at > numberLeftAt;
  return userId !== null && ofNumber.userId !== null && ofNumber.userId !== userId;
}

/** Takes a number from a contact that is known by its user id. It keeps other numbers only if it had one beside this one. */
async function takeNumberFrom(accountId: string, former: KnownIdentity, number: PhoneNumber, tx: Tx): Promise<void> {
  const { id, phoneNumber } = former;
  const [loser] = await lockContacts(accountId, [id], tx);
  if (loser === undefined || loser.phoneNumber !== phoneNumber) throw new ContactMerged();
  if (phoneNumber === null || numberKey(phoneNumber) !== numberKey(number)) {
    await dropNumberAlias(accountId, number, [id], tx);
    if (phoneNumber !== null) await saveSpelling(accountId, id, phoneNumber, tx);
    return;
  }
  await ConsentLedger.leave(accountId, { ...loser, identities: await dropAliasesOf(accountId, id, tx) }, tx);
  await clearNumber(accountId, id, tx);
}

async function moveNumber(
  accountId: string,
  id: RecordId,
  known: LockedPeople,
  number: PhoneNumber,
  at: Date,
  tx: Tx,
): Promise<void> {
  const old = known.contact.phoneNumber;
  const current = await findKnown(accountId, id, tx);
  if (current?.phoneNumber !== number) {
    await dropNumberAlias(accountId, number, [id, ...idsOf(known)], tx);
    await replaceNumber(accountId, id, number, tx);
    await gained(accountId, id, [number], tx);
  }
  if (old === null || numberKey(old) === numberKey(number)) return;
  if (!(await addAlias(accountId, id, { number: old, userId: null, movedAt: at }, tx))) {
    await markNumberLeft(accountId, old, at, tx);
  }
}

async function moveUser(
  accountId: string,
  id: RecordId,
  known: LockedPeople,
  userId: UserId | null,
  at: Date,
  tx: Tx,
): Promise<void> {
  const { userId: old, username } = known.contact;
  if (userId === null || userId === old) return;
  await giveUserId(accountId, id, { userId, username }, idsOf(known), tx);
  if (old !== null) await addAlias(accountId, id, { number: null, userId: old, movedAt: at }, tx);
}

/**
 * Every number or user id that an existing contact gains passes here, except user ids of people who have decided nothing
 * (`saveUsualIdentities`): what its person decided under it before applies too.
 */
function gained(accountId: string, id: RecordId, identities: readonly string[], tx: Tx): Promise<void> {
  return ConsentLedger.learn(accountId, id, identities, tx);
}
