import type { Database } from '../database/unit-of-work.js';
import type { BusinessAccount } from './business-account.entity.js';
import type { StoredBusinessPhone } from './stored-business-phone.entity.js';

/** A phone that is due for a look-up on the network. */
export type DuePhone = Pick<StoredBusinessPhone, 'accountId' | 'id'>;

/** A look: whether any phone is due for a look-up. */
export const DUE_PHONE = 'SELECT true FROM business_phones WHERE look_up_at <= now() ORDER BY look_up_at LIMIT 1';

/** Phones that are due for a look-up. Pipeline statement, all tenants. */
export function findPhonesToLookUp(limit: number, db: Database): Promise<DuePhone[]> {
  return db.rows<DuePhone>(
    'SELECT account_id, id FROM business_phones WHERE look_up_at <= now() ORDER BY look_up_at LIMIT $1',
    [limit],
  );
}

/**
 * Claims a due phone by setting the time of its next look-up.
 *
 * @param againInMs milliseconds until the next try if this look-up fails
 * @returns false when another process was faster
 */
export async function claimPhoneToLookUp(
  { accountId, id }: DuePhone,
  againInMs: number,
  db: Database,
): Promise<boolean> {
  const taken = await db.affected(
    `UPDATE business_phones SET look_up_at = now() + $3::float8 * interval '1 millisecond'
     WHERE account_id = $1 AND id = $2 AND look_up_at <= now()`,
    [accountId, id, againInMs],
  );
  return taken > 0;
}

/** What the network reports about a phone. */
export interface PhoneFacts {
  readonly quality: string | null;
  /** The messages per second that it had, and those that follow from what the network reports. */
  readonly throughput: { readonly from: number; readonly to: number };
  /** Null for an unknown value. */
  readonly messagingLimit: BusinessAccount['messagingLimit'];
  readonly toldAt: Date;
  readonly lookUpAt: Date;
}

/** Stores the messaging limit `$3`, told at `$4`, of the portfolio that owns a business account. */
const setLimitOf = (wabaId: string): string =>
  `UPDATE business_accounts b
   SET messaging_limit = CASE WHEN b.messaging_limit_told_at > $4 THEN b.messaging_limit ELSE $3 END,
       messaging_limit_told_at = greatest(b.messaging_limit_told_at, $4)
   FROM business_accounts told
   WHERE $3::integer IS NOT NULL AND told.account_id = $1 AND told.waba_id = ${wabaId} AND b.account_id = $1
     AND coalesce(b.portfolio_id, b.waba_id) = coalesce(told.portfolio_id, told.waba_id)`;

/**
 * Stores what the network reports about a phone, unless it was removed, and the limit of its portfolio. An older quality
 * does not replace a newer one, nor does the throughput one that was set meanwhile. One statement, so that who sees one
 * of them sees all, and nothing waits for the phone's row while others wait for the configuration epoch.
 */
export async function setPhoneFacts(
  accountId: string,
  phoneId: string,
  { quality, throughput, messagingLimit, toldAt, lookUpAt }: PhoneFacts,
  db: Database,
): Promise<void> {
  await db.affected(
    `WITH phone AS (
       SELECT waba_id FROM business_phones WHERE account_id = $1 AND id = $2 AND removed_at IS NULL
     ), limited AS (
       ${setLimitOf('(SELECT waba_id FROM phone)')}
     )
     UPDATE business_phones
     SET quality = CASE WHEN quality_told_at > $4 THEN quality ELSE coalesce($8, quality) END,
         quality_told_at = greatest(quality_told_at, $4),
         throughput = CASE WHEN throughput = $5 THEN $6 ELSE throughput END,
         look_up_at = $7
     WHERE account_id = $1 AND id = $2 AND removed_at IS NULL`,
    [accountId, phoneId, messagingLimit, toldAt, throughput.from, throughput.to, lookUpAt, quality],
  );
}

/**
 * Raises the throughput of a phone, unless an operator has set another than the standard one.
 *
 * @param raised messages per second, from and to
 * @returns the number of matching phones, raised or not
 */
export function raiseThroughput(
  accountId: string,
  wabaId: string,
  phone: string,
  raised: { readonly from: number; readonly to: number },
  db: Database,
): Promise<number> {
  return db.affected(
    `UPDATE business_phones SET throughput = CASE WHEN throughput = $4 THEN $5 ELSE throughput END
     WHERE account_id = $1 AND waba_id = $2 AND phone = $3`,
    [accountId, wabaId, phone, raised.from, raised.to],
  );
}

/** Stores which portfolio owns a business account. */
export async function setPortfolio(
  accountId: string,
  wabaId: string,
  portfolioId: string,
  db: Database,
): Promise<void> {
  await db.affected(
    `UPDATE business_accounts SET portfolio_id = $3
     WHERE account_id = $1 AND waba_id = $2 AND portfolio_id IS DISTINCT FROM $3`,
    [accountId, wabaId, portfolioId],
  );
}

/**
 * Stores the messaging limit of a portfolio for all its business accounts. Older reports than the stored one are
 * ignored.
 *
 * @param news `toldAt` has a resolution of one second; within the same second the later call wins
 * @returns the number of matching business accounts
 */
export function setMessagingLimit(
  accountId: string,
  wabaId: string,
  news: { readonly limit: NonNullable<BusinessAccount['messagingLimit']>; readonly toldAt: Date },
  db: Database,
): Promise<number> {
  return db.affected(setLimitOf('$2'), [accountId, wabaId, news.limit, news.toldAt]);
}
