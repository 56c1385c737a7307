import { violatedUniqueConstraint } from '../database/constraint-violation.js';
import type { Tx } from '../database/unit-of-work.js';
import { phoneNumberIdTaken, wabaIdTaken } from './account.errors.js';

/** A business phone as stored, with its business account's state. */
export interface BusinessPhoneRow {
  readonly account_id: string;
  readonly id: string;
  readonly waba_id: string;
  readonly phone_number_id: string;
  readonly phone: string;
  readonly throughput: number;
  /** Of exactly one phone of each account: the one flagged so, else the oldest (D53). */
  readonly is_primary: boolean;
  readonly quality: string | null;
  readonly access_token: string;
  readonly restriction: string | null;
  readonly created_at: Date;
}

/** All phones of the account, the primary one first: the one flagged so, else the oldest (D53). */
export function findBusinessPhones(accountId: string, tx: Tx): Promise<BusinessPhoneRow[]> {
  return tx.rows<BusinessPhoneRow>(
    `SELECT p.account_id, p.id, p.waba_id, p.phone_number_id, p.phone, p.throughput,
            row_number() OVER seniority = 1 AS is_primary, p.quality, p.access_token, b.restriction, p.created_at
     FROM business_phones p JOIN business_accounts b ON b.account_id = p.account_id AND b.waba_id = p.waba_id
     WHERE p.account_id = $1
     WINDOW seniority AS (ORDER BY p.is_primary DESC, p.created_at, p.id)
     ORDER BY row_number() OVER seniority`,
    [accountId],
  );
}

/**
 * The account that a callback's phone belongs to. Callbacks name no account: this query is what finds the tenant, and
 * `phone_number_id` is unique by constraint (D70).
 */
export async function findAccountOfPhoneNumberId(phoneNumberId: string, tx: Tx): Promise<string | null> {
  const row = await tx.row<{ account_id: string }>(
    'SELECT account_id FROM business_phones WHERE phone_number_id = $1',
    [phoneNumberId],
  );
  return row?.account_id ?? null;
}

/** The account that a callback's business account belongs to; unique by constraint (D70). */
export async function findAccountOfWaba(wabaId: string, tx: Tx): Promise<string | null> {
  const row = await tx.row<{ account_id: string }>('SELECT account_id FROM business_accounts WHERE waba_id = $1', [
    wabaId,
  ]);
  return row?.account_id ?? null;
}

/** A phone to be inserted; its token sealed (D39). */
export interface BusinessPhoneInsert {
  readonly id: string;
  readonly wabaId: string;
  readonly phoneNumberId: string;
  readonly phone: string;
  readonly throughput: number;
  readonly isPrimary: boolean;
  readonly accessToken: string;
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
export function clearPrimaryFlag(accountId: string, tx: Tx): Promise<number> {
  return tx.affected('UPDATE business_phones SET is_primary = false WHERE account_id = $1 AND is_primary', [accountId]);
}

export async function insertBusinessPhone(accountId: string, phone: BusinessPhoneInsert, tx: Tx): Promise<void> {
  const { id, wabaId, phoneNumberId, phone: number, throughput, isPrimary, accessToken } = phone;
  try {
    await tx.affected(
      `INSERT INTO business_phones (account_id, id, waba_id, phone_number_id, phone, throughput, is_primary, access_token)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [accountId, id, wabaId, phoneNumberId, number, throughput, isPrimary, accessToken],
    );
  } catch (error) {
    if (violatedUniqueConstraint(error) === 'business_phones_phone_number_id_key') {
      throw phoneNumberIdTaken(phoneNumberId);
    }
    throw error;
  }
}

/** Notes why the network keeps a business from sending, or, with null, that it no longer does (D68). */
export function setRestriction(accountId: string, wabaId: string, restriction: string | null, tx: Tx): Promise<number> {
  return tx.affected('UPDATE business_accounts SET restriction = $3 WHERE account_id = $1 AND waba_id = $2', [
    accountId,
    wabaId,
    restriction,
  ]);
}

/** Notes what the network thinks of a phone's quality. */
export function setQuality(accountId: string, wabaId: string, phone: string, quality: string, tx: Tx): Promise<number> {
  return tx.affected('UPDATE business_phones SET quality = $4 WHERE account_id = $1 AND waba_id = $2 AND phone = $3', [
    accountId,
    wabaId,
    phone,
    quality,
  ]);
}
