import type { Database, Tx } from '../database/unit-of-work.js';
import { newRecordId } from '../values/record-id.js';
import { lockAccount } from './account.queries.js';
import type { MovementKind } from './wallet-entry.entity.js';

/** Maximum balance: JSON numbers are exact only up to here. */
export const MAX_CREDITS = Number.MAX_SAFE_INTEGER;

/** Credits that enter a wallet, or leave it when `amount` is negative. */
export interface Movement {
  readonly kind: MovementKind;
  readonly amount: number;
  readonly campaignId: string | null;
}

/** A movement with its account. */
export interface AccountMovement extends Movement {
  readonly accountId: string;
}

/** The account's credits, or null when it does not exist. */
export async function findBalance(accountId: string, db: Database): Promise<number | null> {
  const row = await db.row<{ balance: number }>(
    `SELECT (
       SELECT coalesce(sum(amount), 0)::bigint FROM counter_amounts
       WHERE account_id = $1 AND counter = 'wallet.credits' AND subject_id = $1
     ) AS balance
     FROM accounts WHERE id = $1`,
    [accountId],
  );
  return row?.balance ?? null;
}

/**
 * Locks the wallet until the transaction ends and returns its credits, so that no other transaction can spend them. The
 * balance needs its own statement: a statement that waits for the lock sees the state from before the wait.
 *
 * @returns null when there is no such account
 */
export async function lockWallet(accountId: string, tx: Tx): Promise<number | null> {
  return (await lockAccount(accountId, tx)) ? findBalance(accountId, tx) : null;
}

/** Enters one movement in the ledger; a trigger moves the balance. Check it with {@link lockWallet} before spending. */
export function enterMovement(accountId: string, movement: Movement, tx: Tx): Promise<void> {
  return enterMovements([{ accountId, ...movement }], tx);
}

/** Enters movements of any accounts; those of zero credits leave no entry. */
export async function enterMovements(movements: readonly AccountMovement[], db: Database): Promise<void> {
  const moving = movements.filter(({ amount }) => amount !== 0);
  if (moving.length === 0) return;
  await db.affected(
    `INSERT INTO wallet_entries (account_id, id, kind, amount, campaign_id)
     SELECT account_id, id, kind, amount, campaign_id
     FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::uuid[])
       AS moved (account_id, id, kind, amount, campaign_id)
     ORDER BY account_id, id`,
    [
      moving.map(({ accountId }) => accountId),
      moving.map(() => newRecordId()),
      moving.map(({ kind }) => kind),
      moving.map(({ amount }) => amount),
      moving.map(({ campaignId }) => campaignId),
    ],
  );
}

/**
 * Adds credits. Needs a transaction.
 *
 * @returns the new balance; null when there is no such account, or when it would exceed {@link MAX_CREDITS}
 */
export async function creditWallet(accountId: string, amount: number, tx: Tx): Promise<number | null> {
  const balance = await lockWallet(accountId, tx);
  if (balance === null || balance + amount > MAX_CREDITS) return null;
  await enterMovement(accountId, { kind: 'credit', amount, campaignId: null }, tx);
  return balance + amount;
}
