import type { ContactRef } from '../contacts/contact-ref.js';
import type { Tx } from '../database/unit-of-work.js';

/** Names a conversation within its account. */
export interface ConversationKey {
  readonly contactId: string;
  readonly businessPhoneId: string;
}

/**
 * The ON CONFLICT clause for an outgoing message in an existing conversation (`t`): it moves to the top, and a resolved
 * one stays resolved. Statements must insert conversations in key order, so that two batches cannot deadlock.
 */
export const MOVED_TO_TOP = `ON CONFLICT ON CONSTRAINT conversations_pkey DO UPDATE
       SET last_message_at = greatest(t.last_message_at, excluded.last_message_at),
           last_message_preview = excluded.last_message_preview`;

/**
 * Returns when a contact last wrote to a business phone; null if it never did. A deleted contact keeps its
 * conversations, and so its service window.
 */
export async function findLastInbound(
  accountId: string,
  contact: ContactRef,
  businessPhoneId: string,
  tx: Tx,
): Promise<Date | null> {
  const row = await tx.row<{ lastInboundAt: Date | null }>(
    `SELECT t.last_inbound_at
     FROM contacts c JOIN conversations t ON t.account_id = c.account_id AND t.contact_id = c.id
     WHERE c.account_id = $1 AND c.${contact.by} = $2 AND t.business_phone_id = $3`,
    [accountId, contact.value, businessPhoneId],
  );
  return row?.lastInboundAt ?? null;
}
