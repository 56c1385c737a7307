import type { Tx } from '../database/unit-of-work.js';
import type { Contact } from './contact.entity.js';

/**
 * Records that contacts opted in or out. Decisions may arrive late and out of order; the latest one counts. The network
 * reports whole seconds, so within a second the order of arrival decides. If a contact has been merged into another
 * one, the decision applies to that one too.
 */
export async function setConsent(
  accountId: string,
  contactIds: readonly string[],
  decision: { readonly optedIn: boolean; readonly at: Date },
  tx: Tx,
): Promise<void> {
  const rows = await tx.rows<Pick<Contact, 'mergedInto'>>(
    `WITH decision AS MATERIALIZED (
       SELECT date_trunc('second', least($4::timestamptz, now())) AS at
     ), held AS MATERIALIZED (
       SELECT id FROM contacts
       WHERE account_id = $1 AND id = ANY($2::uuid[]) AND (consent_at IS NULL OR consent_at <= (SELECT at FROM decision))
       ORDER BY phone_number, id
       FOR NO KEY UPDATE
     )
     UPDATE contacts c SET opted_in = $3, consent_at = (SELECT at FROM decision), updated_at = now()
     FROM held WHERE c.account_id = $1 AND c.id = held.id
     RETURNING c.merged_into`,
    [accountId, contactIds, decision.optedIn, decision.at],
  );
  const kept = rows.flatMap(({ mergedInto }) => mergedInto ?? []);
  if (kept.length > 0) await setConsent(accountId, kept, decision, tx);
}

/** Stores the number by which the network knows a contact, if it differs from the one we send to. */
export function rememberWaId(accountId: string, contactId: string, waId: string, tx: Tx): Promise<number> {
  return tx.affected(
    `UPDATE contacts SET wa_id = $3, updated_at = now()
     WHERE account_id = $1 AND id = $2 AND wa_id IS DISTINCT FROM $3 AND phone_number IS DISTINCT FROM $3
       AND erased_at IS NULL`,
    [accountId, contactId, waId],
  );
}
