import type { Tx } from '../database/unit-of-work.js';

/** A message of a thread. */
export interface OutboundMention {
  readonly contactId: string;
  readonly businessPhoneId: string;
  /** What the list of conversations shows. */
  readonly preview: string;
}

/** A message that went out, with the id of its thread if it makes it. */
export interface OutboundThread extends OutboundMention {
  readonly accountId: string;
  readonly threadId: string;
}

/**
 * Makes sure that the threads of outgoing messages exist, and moves them to the top; a resolved one stays resolved
 * (D34). Rows are written in the order of their contacts, so that two batches cannot wait for each other. Pipeline
 * statement: each message names its tenant.
 */
export async function mentionOutbound(mentions: readonly OutboundThread[], at: Date, tx: Tx): Promise<void> {
  await tx.affected(
    `INSERT INTO conversations AS t (account_id, id, contact_id, business_phone_id, last_message_at, last_message_preview)
     SELECT DISTINCT ON (m.account_id, m.contact_id, m.business_phone_id)
            m.account_id, m.id, m.contact_id, m.business_phone_id, $1, m.preview
     FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[])
       AS m (account_id, id, contact_id, business_phone_id, preview)
     ORDER BY m.account_id, m.contact_id, m.business_phone_id
     ON CONFLICT ON CONSTRAINT conversations_thread_key DO UPDATE
     SET last_message_at = greatest(t.last_message_at, excluded.last_message_at),
         last_message_preview = excluded.last_message_preview`,
    [
      at,
      mentions.map(({ accountId }) => accountId),
      mentions.map(({ threadId }) => threadId),
      mentions.map(({ contactId }) => contactId),
      mentions.map(({ businessPhoneId }) => businessPhoneId),
      mentions.map(({ preview }) => preview),
    ],
  );
}

/**
 * When the contact with this number last wrote to a business phone, or null when it never did (D55). A deleted contact
 * keeps its threads, and so does its window.
 */
export async function findLastInbound(
  accountId: string,
  contactPhone: string,
  businessPhoneId: string,
  tx: Tx,
): Promise<Date | null> {
  const row = await tx.row<{ last_inbound_at: Date | null }>(
    `SELECT t.last_inbound_at
     FROM contacts c JOIN conversations t ON t.account_id = c.account_id AND t.contact_id = c.id
     WHERE c.account_id = $1 AND c.phone_number = $2 AND t.business_phone_id = $3`,
    [accountId, contactPhone, businessPhoneId],
  );
  return row?.last_inbound_at ?? null;
}
