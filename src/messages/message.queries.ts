import type { Tx } from '../database/unit-of-work.js';

/** An outgoing message about to be sent: the intent that is committed before anything leaves (D14). */
export interface OutboundIntent {
  readonly accountId: string;
  readonly id: string;
  readonly contactId: string;
  readonly businessPhoneId: string;
  readonly messageType: string;
  /** What a person would read: body text or caption. */
  readonly content: string;
  readonly templateName: string | null;
  readonly campaignId: string | null;
  readonly recipientId: string | null;
}

/**
 * Stores intents as `pending`. Pipeline statement: each intent names its tenant, and its references must be that
 * tenant's rows.
 *
 * @param settleAt when an outcome that stayed unknown counts as failure
 */
export async function insertIntents(
  intents: readonly OutboundIntent[],
  createdAt: Date,
  settleAt: Date,
  tx: Tx,
): Promise<void> {
  const of = <T>(read: (intent: OutboundIntent) => T): T[] => intents.map(read);
  await tx.affected(
    `INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, content,
                           template_name, campaign_id, recipient_id, status, created_at, settle_at)
     SELECT i.account_id, i.id, 'out', i.contact_id, i.business_phone_id, i.message_type, i.content, i.template_name,
            i.campaign_id, i.recipient_id, 'pending', $1, $2
     FROM unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::text[], $8::text[], $9::text[], $10::uuid[],
                 $11::uuid[])
       AS i (account_id, id, contact_id, business_phone_id, message_type, content, template_name, campaign_id, recipient_id)`,
    [
      createdAt,
      settleAt,
      of(({ accountId }) => accountId),
      of(({ id }) => id),
      of(({ contactId }) => contactId),
      of(({ businessPhoneId }) => businessPhoneId),
      of(({ messageType }) => messageType),
      of(({ content }) => content),
      of(({ templateName }) => templateName),
      of(({ campaignId }) => campaignId),
      of(({ recipientId }) => recipientId),
    ],
  );
}

/** Sets when a message counts as failed, as long as nothing is known about it. */
export function settleUnknown(accountId: string, messageId: string, settleAt: Date, tx: Tx): Promise<number> {
  return tx.affected('UPDATE messages SET settle_at = $3 WHERE account_id = $1 AND id = $2 AND seen = 0', [
    accountId,
    messageId,
    settleAt,
  ]);
}
