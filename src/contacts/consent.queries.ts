import type { Tx } from '../database/unit-of-work.js';

/**
 * Records that contacts said, at a time that may be long past, whether they take marketing messages (D21): the latest word
 * counts, in whatever order words arrive. The network tells time in whole seconds; within one, the order of arrival
 * decides. Rows are taken in the order of their numbers, as by all writers.
 */
export function setConsent(
  accountId: string,
  contactIds: readonly string[],
  { optedIn, at }: { readonly optedIn: boolean; readonly at: Date },
  tx: Tx,
): Promise<number> {
  return tx.affected(
    `WITH said AS MATERIALIZED (
       SELECT date_trunc('second', least($4::timestamptz, now())) AS at
     ), held AS MATERIALIZED (
       SELECT id FROM contacts
       WHERE account_id = $1 AND id = ANY($2::uuid[]) AND (consent_at IS NULL OR consent_at <= (SELECT at FROM said))
       ORDER BY phone_number
       FOR NO KEY UPDATE
     )
     UPDATE contacts c SET opted_in = $3, consent_at = (SELECT at FROM said), updated_at = now()
     FROM held WHERE c.account_id = $1 AND c.id = held.id`,
    [accountId, contactIds, optedIn, at],
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
