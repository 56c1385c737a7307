import { ConsentLedger } from '../consent/consent-ledger.js';
import type { Tx } from '../database/unit-of-work.js';
import { mergeInSourcesAtEnd } from '../hooks/personal-data.js';
import { now } from '../values/clock.js';
import { numberKey } from '../values/number-key.js';
import type { RecordId } from '../values/record-id.js';
import { Contact } from './contact.entity.js';
import { withoutPersonalData } from './contact-columns.js';
import { isDefaultName } from './contact-name.js';
import { expectHistory } from './identity-task.queries.js';
import { moveMessages } from './merged-history.queries.js';
import { moveConversations, moveMemberships } from './merged-threads.queries.js';
import { hasNumber, NUMBER_ORDER } from './person-keys.js';

// Merges contacts that turn out to be the same person, each pair in one transaction. This room writes to the tables of
// other rooms here, because a half-done merge must never be visible. Locks are taken in the order of all writers:
// contacts, messages, recipients, campaigns, conversations, groups.

/**
 * Makes one contact of two. The older one stays, with its number, and takes over messages, campaign recipients,
 * conversations, groups, consent, and whatever it lacks of names and identities. The other one stays as a deleted row
 * that leads to it, by its id and by its number if that is a different one. Of a long history only the newest messages
 * move at once; a sweep moves the rest, and readers follow `merged_into` meanwhile.
 *
 * @param oneId may have been merged already, and then stands for the contact that it leads to; so may `otherId`
 * @returns the contact that stays; the other one if one of the two is unknown or erased
 */
export async function mergeContacts(accountId: string, oneId: RecordId, otherId: RecordId, tx: Tx): Promise<RecordId> {
  const [kept, gone] = await lockBoth(accountId, oneId, otherId, tx);
  if (kept === undefined) return oneId;
  if (gone === undefined) return kept.id;
  await absorb(accountId, kept, gone, { keepsAlias: true }, tx);
  const holder = await findHolder(accountId, kept.id, [kept, gone], tx);
  return holder === null ? kept.id : mergeContacts(accountId, kept.id, holder, tx);
}

/**
 * Locks a contact and the deleted one whose number it gets, with all that lead to either.
 *
 * @returns the contact; null unless both are there and the other one is deleted
 */
export async function lockForNumber(
  accountId: string,
  id: RecordId,
  deletedId: RecordId,
  tx: Tx,
): Promise<Contact | null> {
  const locked = await lockBoth(accountId, id, deletedId, tx);
  const isFree = locked.some((one) => one.id === deletedId && one.deletedAt !== null);
  return isFree ? (locked.find((one) => one.id === id) ?? null) : null;
}

/**
 * Merges a contact into another one whichever is older, and forgets its number. The caller has locked both.
 */
export async function mergeContact(accountId: string, keptId: RecordId, goneId: RecordId, tx: Tx): Promise<void> {
  const kept = await tx.manager.findOneByOrFail(Contact, { accountId, id: keptId });
  const gone = await tx.manager.findOneByOrFail(Contact, { accountId, id: goneId });
  await absorb(accountId, kept, gone, { keepsAlias: false }, tx);
}

/** Locks two contacts, and all that lead to them. @returns those of the two that live, the older one first */
async function lockBoth(accountId: string, oneId: RecordId, otherId: RecordId, tx: Tx): Promise<Contact[]> {
  for (;;) {
    const locked = await tx.rows<Contact>(
      `WITH meant AS MATERIALIZED (
         SELECT coalesce(merged_into, id) AS id FROM contacts WHERE account_id = $1 AND id IN ($2, $3)
       )
       SELECT * FROM contacts
       WHERE account_id = $1
         AND id = ANY (ARRAY(SELECT id FROM meant
                             UNION
                             SELECT c.id FROM contacts c
                             WHERE c.account_id = $1 AND c.merged_into = ANY (ARRAY(SELECT id FROM meant))))
       ORDER BY ${NUMBER_ORDER} FOR UPDATE`,
      [accountId, oneId, otherId],
    );
    const living = locked.filter(({ mergedInto }) => mergedInto === null);
    const isLocked = (id: RecordId | null): boolean => id === null || living.some((contact) => contact.id === id);
    // Otherwise one was merged into a third while this waited, and the next look finds that one.
    if (locked.every(({ mergedInto }) => isLocked(mergedInto))) {
      return living.filter(({ erasedAt }) => erasedAt === null).sort(byAge);
    }
  }
}

const byAge = (a: Contact, b: Contact): number =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);

/** How a contact is merged. */
interface MergeOptions {
  /** Whether the number of the merged contact leads to the kept one, unless it has no other. */
  readonly keepsAlias: boolean;
}

async function absorb(
  accountId: string,
  kept: Contact,
  gone: Contact,
  { keepsAlias }: MergeOptions,
  tx: Tx,
): Promise<void> {
  const [keptId, goneId] = [kept.id, gone.id];
  await moveMessages(accountId, { keptId, goneId, below: null }, tx);
  await moveConversations(accountId, keptId, goneId, tx);
  await moveMemberships(accountId, keptId, goneId, tx);
  await ConsentLedger.merge(accountId, keptId, goneId, tx);
  const alias = keepsAlias ? aliasOf(kept, gone) : null;
  await tx.manager.update(
    Contact,
    { accountId, id: goneId },
    { ...blank(gone), phoneNumber: alias, mergedInto: keptId, updatedAt: () => 'now()' },
  );
  await tx.manager.update(
    Contact,
    { accountId, id: keptId },
    { ...mergedFields(kept, gone), updatedAt: () => 'now()' },
  );
  await takeNumber(accountId, keptId, tx);
  await redirect(accountId, keptId, goneId, tx);
  await leaveUserId(accountId, kept, gone, tx);
  await expectHistory(accountId, goneId, tx);
  await mergeInSourcesAtEnd(accountId, keptId, goneId, tx);
}

/** The number by which the merged contact leads to the kept one; null when that is found by it anyway. */
const aliasOf = (kept: Contact, { phoneNumber, isDuplicate }: Contact): Contact['phoneNumber'] => {
  if (phoneNumber === null || isDuplicate || kept.phoneNumber === null) return null;
  return numberKey(phoneNumber) === numberKey(kept.phoneNumber) ? null : phoneNumber;
};

/** The fields of a contact that was merged: of its personal data only a number may be left. */
const blank = ({ deletedAt }: Contact): Partial<Contact> => ({
  isDuplicate: false,
  ...withoutPersonalData(),
  deletedAt: deletedAt ?? now(),
});

/** Fills the gaps of the kept contact from the merged one. */
function mergedFields(kept: Contact, gone: Contact): Partial<Contact> {
  const named = isDefaultName(kept.firstName) && kept.lastName === null && gone.firstName !== '' ? gone : kept;
  const isSameUser = kept.userId === null || kept.userId === gone.userId;
  return {
    phoneNumber: kept.phoneNumber ?? gone.phoneNumber,
    isDuplicate: kept.phoneNumber === null ? gone.isDuplicate : kept.isDuplicate,
    waId: mergedWaId(kept, gone),
    userId: kept.userId ?? gone.userId,
    username: kept.username ?? (isSameUser ? gone.username : null),
    firstName: named.firstName,
    lastName: named.lastName,
    email: kept.email ?? gone.email,
    company: kept.company ?? gone.company,
    tags: kept.tags.length === 0 ? gone.tags : kept.tags,
    deletedAt: gone.deletedAt === null ? null : kept.deletedAt,
  };
}

/** The network's number of the kept contact: that of the merged one only if it is about the same number. */
function mergedWaId(kept: Contact, gone: Contact): Contact['waId'] {
  if (kept.waId !== null || gone.waId === null) return kept.waId;
  if (kept.phoneNumber === null) return gone.waId;
  const isSameNumber = gone.phoneNumber !== null && numberKey(gone.phoneNumber) === numberKey(kept.phoneNumber);
  return isSameNumber && gone.waId !== kept.phoneNumber ? gone.waId : null;
}

/** Lets a contact be found by its number from now on, if it was the double of one that is gone. */
export async function takeNumber(accountId: string, id: RecordId, tx: Tx): Promise<void> {
  await tx.affected(
    `UPDATE contacts c SET is_duplicate = false
     WHERE c.account_id = $1 AND c.id = $2 AND c.is_duplicate
       AND NOT EXISTS (SELECT FROM contacts o WHERE o.account_id = $1 AND ${hasNumber('o', 'c.phone_number')})`,
    [accountId, id],
  );
}

/** Whatever led to the merged contact leads to the kept one from now on. */
async function redirect(accountId: string, keptId: RecordId, goneId: RecordId, tx: Tx): Promise<void> {
  await tx.affected('UPDATE contacts SET merged_into = $2 WHERE account_id = $1 AND merged_into = $3', [
    accountId,
    keptId,
    goneId,
  ]);
}

/** Keeps the opt-out of the person at the user id that is not kept. */
async function leaveUserId(accountId: string, kept: Contact, gone: Contact, tx: Tx): Promise<void> {
  if (kept.userId === null || gone.userId === null || kept.userId === gone.userId) return;
  const person = await tx.manager.findOneByOrFail(Contact, { accountId, id: kept.id });
  await ConsentLedger.leave(accountId, { ...person, identities: [gone.userId] }, tx);
}

/** Finds the contact that is found by the number of one of the doubles; null when that is `keptId` or nobody. */
export async function findHolder(
  accountId: string,
  keptId: RecordId,
  doubles: readonly Contact[],
  tx: Tx,
): Promise<RecordId | null> {
  const numbers = doubles.flatMap(({ isDuplicate, phoneNumber }) => (isDuplicate ? [phoneNumber] : []));
  if (numbers.length === 0) return null;
  const row = await tx.row<{ id: RecordId }>(
    `SELECT coalesce(c.merged_into, c.id) AS id
     FROM unnest($3::text[]) AS double (number)
     JOIN contacts c ON c.account_id = $1 AND ${hasNumber('c', 'double.number')}
     WHERE coalesce(c.merged_into, c.id) <> $2 LIMIT 1`,
    [accountId, keptId, numbers],
  );
  return row?.id ?? null;
}
