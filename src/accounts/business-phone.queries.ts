import { IsNull } from 'typeorm';
import { violatedForeignKey, violatedUniqueConstraint } from '../database/sql/constraint-violation.js';
import type { Database, Tx } from '../database/unit-of-work.js';
import { now, SECOND } from '../values/clock.js';
import { noSuchApp, phoneNumberIdTaken, wabaIdTaken } from './account.errors.js';
import { BusinessAccount } from './business-account.entity.js';
import { inForce, type Restriction, type RestrictionType, type StoredRestriction } from './restrictions.js';
import { StoredBusinessPhone } from './stored-business-phone.entity.js';

/** A business phone without its token, with the limits of its business account. */
export type ListedPhone = Omit<
  StoredBusinessPhone,
  'accessToken' | 'qualityToldAt' | 'lookUpAt' | 'createdAt' | 'removedAt'
> &
  Pick<BusinessAccount, 'messagingLimit'> & {
    /** Those in force when it was read, the strictest first. */
    readonly restrictions: readonly Restriction[];
  };

/** All phones of the account, primary first. The primary phone is the flagged one, or else the oldest. */
export async function findBusinessPhones(accountId: string, db: Database): Promise<ListedPhone[]> {
  const phones = await db.rows<Omit<ListedPhone, 'restrictions'> & Pick<BusinessAccount, 'restrictions'>>(
    `SELECT p.account_id, p.id, p.waba_id, p.phone_number_id, p.phone, p.throughput,
            row_number() OVER seniority = 1 AS is_primary, p.quality, p.app_id, b.restrictions,
            b.messaging_limit
     FROM business_phones p JOIN business_accounts b ON b.account_id = p.account_id AND b.waba_id = p.waba_id
     WHERE p.account_id = $1 AND p.removed_at IS NULL
     WINDOW seniority AS (ORDER BY p.is_primary DESC, p.created_at, p.id)
     ORDER BY row_number() OVER seniority`,
    [accountId],
  );
  return phones.map((phone) => ({ ...phone, restrictions: inForce(phone.restrictions, now()) }));
}

/** The phone's encrypted access token; null when the account has no such phone. */
export async function findAccessToken(accountId: string, phoneId: string, db: Database): Promise<string | null> {
  const phone = await db.manager.findOne(StoredBusinessPhone, {
    select: { accessToken: true },
    where: { accountId, id: phoneId, removedAt: IsNull() },
  });
  return phone?.accessToken ?? null;
}

/**
 * The account of a callback's phone. Callbacks name no account, so this query finds the tenant; `phone_number_id` is
 * unique among those in use.
 */
export async function findAccountOfPhoneNumberId(phoneNumberId: string, db: Database): Promise<string | null> {
  const row = await db.row<Pick<StoredBusinessPhone, 'accountId'>>(
    'SELECT account_id FROM business_phones WHERE phone_number_id = $1 AND removed_at IS NULL',
    [phoneNumberId],
  );
  return row?.accountId ?? null;
}

/** The account of a phone, or null. For operators, who identify a phone by its id alone. */
export async function findAccountOfPhone(phoneId: string, db: Database): Promise<string | null> {
  const row = await db.row<Pick<StoredBusinessPhone, 'accountId'>>(
    'SELECT account_id FROM business_phones WHERE id = $1 AND removed_at IS NULL',
    [phoneId],
  );
  return row?.accountId ?? null;
}

/** The account of a callback's business account, or null. `waba_id` is unique among those with phones. */
export async function findAccountOfWaba(wabaId: string, db: Database): Promise<string | null> {
  const row = await db.row<Pick<BusinessAccount, 'accountId'>>(
    'SELECT account_id FROM business_accounts WHERE waba_id = $1 AND released_at IS NULL',
    [wabaId],
  );
  return row?.accountId ?? null;
}

/** Inserts the business account, or takes it back if the account had it before. */
export async function ensureBusinessAccount(accountId: string, wabaId: string, tx: Tx): Promise<void> {
  try {
    await tx.affected(
      `INSERT INTO business_accounts (account_id, waba_id) VALUES ($1, $2)
       ON CONFLICT ON CONSTRAINT business_accounts_pkey
       DO UPDATE SET released_at = NULL WHERE business_accounts.released_at IS NOT NULL`,
      [accountId, wabaId],
    );
  } catch (error) {
    if (violatedUniqueConstraint(error) === 'business_accounts_waba_id_key') throw wabaIdTaken(wabaId);
    throw error;
  }
}

/** Locks the account's phones, in the order of their ids. */
export async function lockPhones(accountId: string, tx: Tx): Promise<void> {
  await tx.rows('SELECT id FROM business_phones WHERE account_id = $1 ORDER BY id FOR NO KEY UPDATE', [accountId]);
}

/** Clears the primary flag of all the account's phones. */
export async function clearPrimaryFlag(accountId: string, tx: Tx): Promise<void> {
  await tx.manager.update(StoredBusinessPhone, { accountId, isPrimary: true }, { isPrimary: false });
}

/** Releases the account's business accounts that have no phone any more. */
export async function releaseBusinessAccounts(accountId: string, tx: Tx): Promise<void> {
  await tx.affected(
    `UPDATE business_accounts b SET released_at = now()
     WHERE b.account_id = $1 AND b.released_at IS NULL
       AND NOT EXISTS (SELECT FROM business_phones p
                       WHERE p.account_id = $1 AND p.waba_id = b.waba_id AND p.removed_at IS NULL)`,
    [accountId],
  );
}

/**
 * SQL of the number id of a removed phone: no id of the network has a dot. It keeps processes of a release that knows no
 * removed phones from taking what is said of the number, which may be another account's by now, for this phone's.
 */
const removedNumberId = (numberId: string): string => `'removed.' || ${numberId} || '.' || id`;

/** The account's phone with this network id, or else the latest that it has removed; null if there is none. */
export async function findPhoneToReconnect(
  accountId: string,
  phoneNumberId: string,
  tx: Tx,
): Promise<Pick<StoredBusinessPhone, 'id' | 'throughput' | 'removedAt'> | null> {
  return tx.row(
    `SELECT id, throughput, removed_at FROM business_phones
     WHERE account_id = $1 AND phone_number_id IN ($2, ${removedNumberId('$2::text')})
     ORDER BY removed_at DESC NULLS FIRST LIMIT 1`,
    [accountId, phoneNumberId],
  );
}

/**
 * Removes a phone. Its token is overwritten, and its app forgotten, so that the app can be removed too. Processes of a
 * release that knows no removed phones still see it: last, with a number id that the network does not know and no token.
 *
 * @param accessToken encrypted
 * @returns false when the account has no such phone
 */
export async function markPhoneRemoved(accountId: string, id: string, accessToken: string, tx: Tx): Promise<boolean> {
  const removed = await tx.affected(
    `UPDATE business_phones
     SET removed_at = now(), is_primary = false, app_id = NULL, access_token = $3, look_up_at = 'infinity',
         phone_number_id = ${removedNumberId('phone_number_id')}, created_at = 'infinity'
     WHERE account_id = $1 AND id = $2 AND removed_at IS NULL`,
    [accountId, id, accessToken],
  );
  return removed > 0;
}

/** What can be changed about a phone; the token is encrypted. */
export type BusinessPhoneChanges = Partial<
  Pick<
    StoredBusinessPhone,
    | 'accessToken'
    | 'throughput'
    | 'isPrimary'
    | 'phoneNumberId'
    | 'wabaId'
    | 'phone'
    | 'appId'
    | 'removedAt'
    | 'createdAt'
  >
>;

/** Changes the given fields and schedules a new look-up on the network: a new token may show more. */
export async function updateBusinessPhone(
  accountId: string,
  id: string,
  changes: BusinessPhoneChanges,
  tx: Tx,
): Promise<void> {
  try {
    await tx.manager.update(StoredBusinessPhone, { accountId, id }, { ...changes, lookUpAt: () => 'now()' });
  } catch (error) {
    throw refusalOf(error, changes);
  }
}

/** What a violated constraint means; any other error is returned as it is. */
function refusalOf(
  error: unknown,
  { phoneNumberId, appId }: Pick<BusinessPhoneChanges, 'phoneNumberId' | 'appId'>,
): unknown {
  if (violatedUniqueConstraint(error) === 'business_phones_phone_number_id_key') {
    return phoneNumberIdTaken(String(phoneNumberId));
  }
  return violatedForeignKey(error) === 'business_phones_app_fkey' ? noSuchApp(String(appId)) : error;
}

/** A new phone, its token encrypted. */
export type BusinessPhoneInsert = Omit<
  StoredBusinessPhone,
  'accountId' | 'quality' | 'qualityToldAt' | 'lookUpAt' | 'createdAt' | 'removedAt'
>;

export async function insertBusinessPhone(accountId: string, phone: BusinessPhoneInsert, tx: Tx): Promise<void> {
  try {
    await tx.manager.insert(StoredBusinessPhone, { accountId, ...phone });
  } catch (error) {
    throw refusalOf(error, phone);
  }
}

/** What a notice says about restrictions; it says nothing about the types that are missing. */
export type RestrictionNews = Readonly<Partial<Record<RestrictionType, Omit<StoredRestriction, 'toldAt'>>>>;

/**
 * Stores what the network says about the restrictions of a business. Each type has a time of news of its own, so notices
 * may arrive in any order, and several restrictions may hold at once. Older news than the stored one is ignored.
 *
 * @param toldAt with a resolution of one second; within the same second the later call wins
 * @returns the number of matching business accounts
 */
export function setRestrictions(
  accountId: string,
  wabaId: string,
  news: RestrictionNews,
  toldAt: Date,
  db: Database,
): Promise<number> {
  const seconds = Math.floor(toldAt.getTime() / SECOND);
  const told = Object.entries(news).map(([type, each]) => [
    type,
    { ...each, toldAt: seconds } satisfies StoredRestriction,
  ]);
  return db.affected(
    `UPDATE business_accounts b
     SET restrictions = b.restrictions || coalesce(
           (SELECT jsonb_object_agg(n.key, n.value) FROM jsonb_each($3::jsonb) AS n
            WHERE ((b.restrictions -> n.key ->> 'toldAt')::bigint > $4) IS NOT TRUE), '{}')
     WHERE b.account_id = $1 AND b.waba_id = $2`,
    [accountId, wabaId, JSON.stringify(Object.fromEntries(told)), seconds],
  );
}
