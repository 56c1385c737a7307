import type { Tx } from '../database/unit-of-work.js';

/** A balance beyond this would no longer be an exact number in JSON. */
export const MOST_CREDITS = Number.MAX_SAFE_INTEGER;

/**
 * Adds credits and writes the ledger row, in one statement (D30).
 *
 * @returns the new balance, or null when there is no such wallet or it would hold more than {@link MOST_CREDITS}
 */
export async function creditWallet(accountId: string, entryId: string, amount: number, tx: Tx): Promise<number | null> {
  const row = await tx.row<{ balance: number }>(
    `WITH credited AS (
       UPDATE wallets SET balance = balance + $3::bigint
       WHERE account_id = $1 AND balance + $3::bigint <= $4::bigint
       RETURNING account_id, balance
     )
     INSERT INTO wallet_entries (account_id, id, kind, amount)
     SELECT account_id, $2, 'credit', $3::bigint FROM credited
     RETURNING (SELECT balance FROM credited) AS balance`,
    [accountId, entryId, amount, MOST_CREDITS],
  );
  return row === null ? null : Number(row.balance);
}

/** The account's credits, or null when there is no such account. */
export async function findBalance(accountId: string, tx: Tx): Promise<number | null> {
  const row = await tx.row<{ balance: number }>('SELECT balance FROM wallets WHERE account_id = $1', [accountId]);
  return row === null ? null : Number(row.balance);
}
