import type { Tx } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';
import type { PersonalDataDebt } from './personal-data-debt.entity.js';

/** Records contacts that a source must be asked about again. An erasure of them is not complete until then. */
export async function recordDebts(
  accountId: string,
  contactIds: readonly RecordId[],
  source: string,
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `WITH owed AS (
       INSERT INTO personal_data_debts (account_id, contact_id, source)
       SELECT $1::uuid, contact_id, $3 FROM unnest($2::uuid[]) AS contact_id
       ON CONFLICT ON CONSTRAINT personal_data_debts_pkey DO NOTHING
     )
     UPDATE contact_erasures SET cleared_at = NULL
     WHERE account_id = $1 AND contact_id = ANY ($2::uuid[]) AND cleared_at IS NOT NULL`,
    [accountId, contactIds, source],
  );
}

/** Locks the next debt of an account that is due; null when there is none. */
export function lockDebt(
  accountId: string,
  tx: Tx,
): Promise<Pick<PersonalDataDebt, 'contactId' | 'source' | 'retries'> | null> {
  return tx.row(
    `SELECT contact_id, source, retries FROM personal_data_debts WHERE account_id = $1 AND due_at <= now()
     ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
    [accountId],
  );
}

/** Puts off a debt: by a second, then twice as long each time, up to an hour. */
export async function postponeDebt(
  accountId: string,
  { contactId, source }: Pick<PersonalDataDebt, 'contactId' | 'source'>,
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `UPDATE personal_data_debts
     SET retries = retries + 1, due_at = now() + least(2.0 ^ least(retries, 12), 3600) * interval '1 second'
     WHERE account_id = $1 AND contact_id = $2 AND source = $3`,
    [accountId, contactId, source],
  );
}

/** Deletes a settled debt. The contact's erasure is complete if it was the last thing that was missing. */
export async function settleDebt(
  accountId: string,
  { contactId, source }: Pick<PersonalDataDebt, 'contactId' | 'source'>,
  tx: Tx,
): Promise<void> {
  await tx.affected('DELETE FROM personal_data_debts WHERE account_id = $1 AND contact_id = $2 AND source = $3', [
    accountId,
    contactId,
    source,
  ]);
  await tx.affected(
    `UPDATE contact_erasures SET cleared_at = now()
     WHERE account_id = $1 AND contact_id = $2 AND passes > 1 AND cleared_at IS NULL
       AND NOT EXISTS (SELECT FROM personal_data_debts d WHERE d.account_id = $1 AND d.contact_id = $2)`,
    [accountId, contactId],
  );
}
