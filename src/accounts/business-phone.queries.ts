import { violatedUniqueConstraint } from '../database/sql/constraint-violation.js';
import type { Tx } from '../database/unit-of-work.js';
import { phoneNumberIdTaken, wabaIdTaken } from './account.errors.js';
import { BusinessAccount } from './business-account.entity.js';
import { BusinessPhone } from './business-phone.entity.js';

/** A business phone without its token, and what keeps its business account from sending. */
export type ListedPhone = Omit<BusinessPhone, 'accessToken' | 'qualityToldAt' | 'lookUpAt' | 'createdAt'> &
  Pick<BusinessAccount, 'restriction' | 'messagingLimit'>;

/** All phones of the account. The first one is the primary phone: the one flagged so, else the oldest. */
export function findBusinessPhones(accountId: string, tx: Tx): Promise<ListedPhone[]> {
  return tx.rows<ListedPhone>(
    `SELECT p.account_id, p.id, p.waba_id, p.phone_number_id, p.phone, p.throughput,
            row_number() OVER seniority = 1 AS is_primary, p.quality, b.restriction, b.messaging_limit
     FROM business_phones p JOIN business_accounts b ON b.account_id = p.account_id AND b.waba_id = p.waba_id
     WHERE p.account_id = $1
     WINDOW seniority AS (ORDER BY p.is_primary DESC, p.created_at, p.id)
     ORDER BY row_number() OVER seniority`,
    [accountId],
  );
}

/** The phone's access token as stored, which is sealed; null when the account has no such phone. */
export async function findAccessToken(accountId: string, phoneId: string, tx: Tx): Promise<string | null> {
  const phone = await tx.manager.findOne(BusinessPhone, {
    select: { accessToken: true },
    where: { accountId, id: phoneId },
  });
  return phone?.accessToken ?? null;
}

/**
 * The account that a callback's phone belongs to. Callbacks name no account: this query is what finds the tenant, and
 * `phone_number_id` is unique by constraint.
 */
export async function findAccountOfPhoneNumberId(phoneNumberId: string, tx: Tx): Promise<string | null> {
  const row = await tx.row<Pick<BusinessPhone, 'accountId'>>(
    'SELECT account_id FROM business_phones WHERE phone_number_id = $1',
    [phoneNumberId],
  );
  return row?.accountId ?? null;
}

/** The account that a phone belongs to, for operators, who name a phone alone; null when there is no such phone. */
export async function findAccountOfPhone(phoneId: string, tx: Tx): Promise<string | null> {
  const row = await tx.row<Pick<BusinessPhone, 'accountId'>>('SELECT account_id FROM business_phones WHERE id = $1', [
    phoneId,
  ]);
  return row?.accountId ?? null;
}

/** The account that a callback's business account belongs to; unique by constraint. */
export async function findAccountOfWaba(wabaId: string, tx: Tx): Promise<string | null> {
  const row = await tx.row<Pick<BusinessAccount, 'accountId'>>(
    'SELECT account_id FROM business_accounts WHERE waba_id = $1',
    [wabaId],
  );
  return row?.accountId ?? null;
}

/** Makes the business account known; nothing happens when this account has it already. */
export async function ensureBusinessAccount(accountId: string, wabaId: string, tx: Tx): Promise<void> {
  try {
    await tx.affected(
      `INSERT INTO business_accounts (account_id, waba_id) VALUES ($1, $2)
       ON CONFLICT ON CONSTRAINT business_accounts_pkey DO NOTHING`,
      [accountId, wabaId],
    );
  } catch (error) {
    if (violatedUniqueConstraint(error) === 'business_accounts_waba_id_key') throw wabaIdTaken(wabaId);
    throw error;
  }
}

/** No phone of the account is flagged primary any more. */
export async function clearPrimaryFlag(accountId: string, tx: Tx): Promise<void> {
  await tx.manager.update(BusinessPhone, { accountId, isPrimary: true }, { isPrimary: false });
}

/** What an operator can change of a phone; the token sealed. */
export type BusinessPhoneChanges = Partial<Pick<BusinessPhone, 'accessToken' | 'throughput' | 'isPrimary'>>;

/** Changes what is given, and has the network asked anew what it knows of the phone: a new token may show more. */
export async function updateBusinessPhone(
  accountId: string,
  id: string,
  changes: BusinessPhoneChanges,
  tx: Tx,
): Promise<void> {
  await tx.manager.update(BusinessPhone, { accountId, id }, { ...changes, lookUpAt: () => 'now()' });
}

/** A phone to be inserted, its token sealed. */
export type BusinessPhoneInsert = Omit<
  BusinessPhone,
  'accountId' | 'quality' | 'qualityToldAt' | 'lookUpAt' | 'createdAt'
>;

export async function insertBusinessPhone(accountId: string, phone: BusinessPhoneInsert, tx: Tx): Promise<void> {
  try {
    await tx.manager.insert(BusinessPhone, { accountId, ...phone });
  } catch (error) {
    if (violatedUniqueConstraint(error) === 'business_phones_phone_number_id_key') {
      throw phoneNumberIdTaken(phone.phoneNumberId);
    }
    throw error;
  }
}

/**
 * Stores why the network keeps a business from sending, or null when it no longer does, unless something newer is known.
 *
 * @param news `toldAt` to the second; of two in one second the later call counts
 * @returns how many business accounts it found
 */
export function setRestriction(
  accountId: string,
  wabaId: string,
  news: { readonly restriction: string | null; readonly toldAt: Date },
  tx: Tx,
): Promise<number> {
  return tx.affected(
    `UPDATE business_accounts
     SET restriction = CASE WHEN restriction_told_at > $4 THEN restriction ELSE $3 END,
         restriction_told_at = greatest(restriction_told_at, $4)
     WHERE account_id = $1 AND waba_id = $2`,
    [accountId, wabaId, news.restriction, news.toldAt],
  );
}
