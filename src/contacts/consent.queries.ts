import type { Tx } from '../database/unit-of-work.js';

/** Sets whether contacts take marketing messages (D21). Rows are taken in the order of their numbers, as by all writers. */
export function setConsent(
  accountId: string,
  contactIds: readonly string[],
  optedIn: boolean,
  tx: Tx,
): Promise<number> {
  return tx.affected(
    `WITH held AS MATERIALIZED (
       SELECT id FROM contacts
       WHERE account_id = $1 AND id = ANY($2::uuid[]) AND opted_in <> $3
       ORDER BY phone_number
       FOR NO KEY UPDATE
     )
     UPDATE contacts c SET opted_in = $3, updated_at = now()
     FROM held WHERE c.account_id = $1 AND c.id = held.id`,
    [accountId, contactIds, optedIn],
  );
}

/** Keeps the number that the network knows a contact by, where it differs from the one we send to (D69). */
export function rememberWaId(accountId: string, contactId: string, waId: string, tx: Tx): Promise<number> {
  return tx.affected(
    `UPDATE contacts SET wa_id = $3, updated_at = now()
     WHERE account_id = $1 AND id = $2 AND wa_id IS DISTINCT FROM $3 AND phone_number <> $3`,
    [accountId, contactId, waId],
  );
}
