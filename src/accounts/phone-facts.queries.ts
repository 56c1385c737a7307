import type { Tx } from '../database/unit-of-work.js';
import type { BusinessAccount } from './business-account.entity.js';
import type { BusinessPhone } from './business-phone.entity.js';

/** A phone that the network is to be asked about. */
export type UnaskedPhone = Pick<BusinessPhone, 'accountId' | 'id'>;

/** Phones that it is time to ask about. Pipeline statement, all tenants. */
export function findPhonesToLookUp(limit: number, tx: Tx): Promise<UnaskedPhone[]> {
  return tx.rows<UnaskedPhone>(
    'SELECT account_id, id FROM business_phones WHERE look_up_at <= now() ORDER BY look_up_at LIMIT $1',
    [limit],
  );
}

/**
 * Sets the time of the next try, so that no other process asks too.
 *
 * @param againInMs when to try again if nothing is learned now
 * @returns false when another process was faster
 */
export async function takePhoneToLookUp({ accountId, id }: UnaskedPhone, againInMs: number, tx: Tx): Promise<boolean> {
  const taken = await tx.affected(
    `UPDATE business_phones SET look_up_at = now() + $3::float8 * interval '1 millisecond'
     WHERE account_id = $1 AND id = $2 AND look_up_at <= now()`,
    [accountId, id, againInMs],
  );
  return taken > 0;
}

/** What the network says of a phone. */
export interface PhoneFacts {
  readonly quality: string | null;
  /** Messages per second that it may send at least; null: the network does not say that it is more than usual. */
  readonly throughput: number | null;
  readonly toldAt: Date;
  readonly lookUpAt: Date;
}

/**
 * Stores what the network says of a phone. A quality is not replaced by an older one.
 *
 * @param standardThroughput what a phone has that nobody gave another throughput: it alone is raised
 */
export async function setPhoneFacts(
  accountId: string,
  phoneId: string,
  facts: PhoneFacts,
  standardThroughput: number,
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `UPDATE business_phones
     SET quality = CASE WHEN quality_told_at > $4 THEN quality ELSE coalesce($3, quality) END,
         quality_told_at = greatest(quality_told_at, $4),
         throughput = CASE WHEN throughput = $6 THEN coalesce($5, throughput) ELSE throughput END,
         look_up_at = $7
     WHERE account_id = $1 AND id = $2`,
    [accountId, phoneId, facts.quality, facts.toldAt, facts.throughput, standardThroughput, facts.lookUpAt],
  );
}

/**
 * Raises the throughput of a phone that has the usual one; another one was set by an operator.
 *
 * @param raised messages per second, from and to
 * @returns how many phones of the business account have that number, raised or not
 */
export function raiseThroughput(
  accountId: string,
  wabaId: string,
  phone: string,
  raised: { readonly from: number; readonly to: number },
  tx: Tx,
): Promise<number> {
  return tx.affected(
    `UPDATE business_phones SET throughput = CASE WHEN throughput = $4 THEN $5 ELSE throughput END
     WHERE account_id = $1 AND waba_id = $2 AND phone = $3`,
    [accountId, wabaId, phone, raised.from, raised.to],
  );
}

/** Stores which portfolio owns a business account. */
export async function setPortfolio(accountId: string, wabaId: string, portfolioId: string, tx: Tx): Promise<void> {
  await tx.affected(
    `UPDATE business_accounts SET portfolio_id = $3
     WHERE account_id = $1 AND waba_id = $2 AND portfolio_id IS DISTINCT FROM $3`,
    [accountId, wabaId, portfolioId],
  );
}

/**
 * Stores the messaging limit of the portfolio that a business account belongs to, unless something newer is known: all
 * business accounts of the portfolio share it.
 *
 * @param news `toldAt` to the second; of two in one second the later call counts
 * @returns how many business accounts it found
 */
export function setMessagingLimit(
  accountId: string,
  wabaId: string,
  news: { readonly limit: NonNullable<BusinessAccount['messagingLimit']>; readonly toldAt: Date },
  tx: Tx,
): Promise<number> {
  return tx.affected(
    `UPDATE business_accounts b
     SET messaging_limit = CASE WHEN b.messaging_limit_told_at > $4 THEN b.messaging_limit ELSE $3 END,
         messaging_limit_told_at = greatest(b.messaging_limit_told_at, $4)
     FROM business_accounts told
     WHERE told.account_id = $1 AND told.waba_id = $2 AND b.account_id = $1
       AND coalesce(b.portfolio_id, b.waba_id) = coalesce(told.portfolio_id, told.waba_id)`,
    [accountId, wabaId, news.limit, news.toldAt],
  );
}
