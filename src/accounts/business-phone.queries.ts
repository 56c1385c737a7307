import { violatedUniqueConstraint } from '../database/sql/constraint-violation.js';
import type { Tx } from '../database/unit-of-work.js';
import { phoneNumberIdTaken, wabaIdTaken } from './account.errors.js';
import { BusinessAccount } from './business-account.entity.js';
import { BusinessPhone } from './business-phone.entity.js';

/** A business phone without its token, with the limits of its business account. */
export type ListedPhone = Omit<BusinessPhone, 'accessToken' | 'qualityToldAt' | 'lookUpAt' | 'createdAt'> &
  Pick<BusinessAccount, 'restriction' | 'restrictionExpiresAt' | 'messagingLimit'>;

/** Why the business account `b` may not send: its ban, or its restriction unless that has expired; null if it may. */
export const RESTRICTION_IN_FORCE =
  'coalesce(b.ban, CASE WHEN b.restriction_expires_at <= now() THEN NULL ELSE b.restriction END)';

/** All phones of the account, primary first. The primary phone is the flagged one, or else the oldest. */
export function findBusinessPhones(accountId: string, tx: Tx): Promise<ListedPhone[]> {
  return tx.rows<ListedPhone>(
    `SELECT p.account_id, p.id, p.waba_id, p.phone_number_id, p.phone, p.throughput,
            row_number() OVER seniority = 1 AS is_primary, p.quality,
            ${RESTRICTION_IN_FORCE} AS restriction,
            CASE WHEN b.ban IS NULL THEN b.restriction_expires_at END AS restriction_expires_at, b.messaging_limit
     FROM business_phones p JOIN business_accounts b ON b.account_id = p.account_id AND b.waba_id = p.waba_id
     WHERE p.account_id = $1
     WINDOW seniority AS (ORDER BY p.is_primary DESC, p.created_at, p.id)
     ORDER BY row_number() OVER seniority`,
    [accountId],
  );
}

/** The phone's encrypted access token; null when the account has no such phone. */
export async function findAccessToken(accountId: string, phoneId: string, tx: Tx): Promise<string | null> {
  const phone = await tx.manager.findOne(BusinessPhone, {
    select: { accessToken: true },
    where: { accountId, id: phoneId },
  });
  return phone?.accessToken ?? null;
}

/**
 * The account of a callback's phone. Callbacks name no account, so this query finds the tenant; `phone_number_id` is
 * unique by constraint.
 */
export async function findAccountOfPhoneNumberId(phoneNumberId: string, tx: Tx): Promise<string | null> {
  const row = await tx.row<Pick<BusinessPhone, 'accountId'>>(
    'SELECT account_id FROM business_phones WHERE phone_number_id = $1',
    [phoneNumberId],
  );
  return row?.accountId ?? null;
}

/** The account of a phone, or null. For operators, who identify a phone by its id alone. */
export async function findAccountOfPhone(phoneId: string, tx: Tx): Promise<string | null> {
  const row = await tx.row<Pick<BusinessPhone, 'accountId'>>('SELECT account_id FROM business_phones WHERE id = $1', [
    phoneId,
  ]);
  return row?.accountId ?? null;
}

/** The account of a callback's business account, or null. `waba_id` is unique by constraint. */
export async function findAccountOfWaba(wabaId: string, tx: Tx): Promise<string | null> {
  const row = await tx.row<Pick<BusinessAccount, 'accountId'>>(
    'SELECT account_id FROM business_accounts WHERE waba_id = $1',
    [wabaId],
  );
  return row?.accountId ?? null;
}

/** Inserts the business account unless this account already has it. */
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

/** Locks the account's phones, in the order of their ids. */
export async function lockPhones(accountId: string, tx: Tx): Promise<void> {
  await tx.rows('SELECT id FROM business_phones WHERE account_id = $1 ORDER BY id FOR NO KEY UPDATE', [accountId]);
}

/** Clears the primary flag of all the account's phones. */
export async function clearPrimaryFlag(accountId: string, tx: Tx): Promise<void> {
  await tx.manager.update(BusinessPhone, { accountId, isPrimary: true }, { isPrimary: false });
}

/** What an operator can change about a phone; the token is encrypted. */
export type BusinessPhoneChanges = Partial<Pick<BusinessPhone, 'accessToken' | 'throughput' | 'isPrimary'>>;

/** Changes the given fields and schedules a new look-up on the network: a new token may show more. */
export async function updateBusinessPhone(
  accountId: string,
  id: string,
  changes: BusinessPhoneChanges,
  tx: Tx,
): Promise<void> {
  await tx.manager.update(BusinessPhone, { accountId, id }, { ...changes, lookUpAt: () => 'now()' });
}

/** A new phone, its token encrypted. */
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

/** What the network reported about a business's right to send; what is omitted, the report says nothing about. */
export interface StandingNews {
  /** Why it is banned, in words; null when it is not. */
  readonly ban?: string | null;
  readonly restriction?: RestrictionNews;
  /** When the network reported it, with a resolution of one second; within the same second the later call wins. */
  readonly toldAt: Date;
}

export interface RestrictionNews {
  /** What is restricted, in words; null when nothing is. */
  readonly reason: string | null;
  /** When the restriction ends by itself; null if only the network can lift it. */
  readonly expiresAt: Date | null;
}

/**
 * Stores whether the network blocks a business from sending. A ban and a restriction have a time of news each, so that
 * reports may arrive in any order and a restriction that expires does not end a ban. Older news than the stored one is
 * ignored.
 *
 * @returns the number of matching business accounts
 */
export function setStanding(accountId: string, wabaId: string, news: StandingNews, tx: Tx): Promise<number> {
  const { ban, restriction, toldAt } = news;
  const setsBan = '$4::boolean AND (ban_told_at > $3) IS NOT TRUE';
  const setsRestriction = '$6::boolean AND (restriction_told_at > $3) IS NOT TRUE';
  return tx.affected(
    `UPDATE business_accounts
     SET ban = CASE WHEN ${setsBan} THEN $5 ELSE ban END,
         ban_told_at = CASE WHEN ${setsBan} THEN $3 ELSE ban_told_at END,
         restriction = CASE WHEN ${setsRestriction} THEN $7 ELSE restriction END,
         restriction_expires_at = CASE WHEN ${setsRestriction} THEN $8 ELSE restriction_expires_at END,
         restriction_told_at = CASE WHEN ${setsRestriction} THEN $3 ELSE restriction_told_at END
     WHERE account_id = $1 AND waba_id = $2`,
    [
      accountId,
      wabaId,
      toldAt,
      ban !== undefined,
      ban ?? null,
      restriction !== undefined,
      restriction?.reason ?? null,
      restriction?.expiresAt ?? null,
    ],
  );
}
