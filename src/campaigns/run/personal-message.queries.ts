import { optedOut } from '../../consent/consent-ledger.queries.js';
import type { Database } from '../../database/unit-of-work.js';
import { idRange, type RecordId } from '../../values/record-id.js';

/** The text of one recipient's message. */
export interface PersonalContent {
  readonly messageId: string;
  readonly contactId: string;
  readonly content: string;
}

/**
 * Replaces the shared text by the personal one, in messages and in the previews of conversations they are the latest
 * message of. Conversations are locked in contact order, as claims lock them.
 *
 * @param at when the messages were created
 */
export async function storePersonalContents(
  accountId: string,
  businessPhoneId: string,
  contents: readonly PersonalContent[],
  at: Date,
  db: Database,
): Promise<void> {
  const messageIds = contents.map(({ messageId }) => messageId);
  await db.affected(
    `WITH personal AS MATERIALIZED (
       SELECT * FROM unnest($2::uuid[], $3::uuid[], $4::text[]) AS p (message_id, contact_id, content)
     ), message AS (
       UPDATE messages m SET content = p.content FROM personal p
       WHERE m.account_id = $1 AND m.id = p.message_id AND m.id >= $5 AND m.id <= $6
     ), conversation AS MATERIALIZED (
       SELECT t.contact_id, p.content
       FROM personal p
       JOIN conversations t ON t.account_id = $1 AND t.contact_id = p.contact_id AND t.business_phone_id = $7
       WHERE t.last_message_at = $8
       ORDER BY t.contact_id
       FOR NO KEY UPDATE OF t
     )
     UPDATE conversations t SET last_message_preview = conversation.content FROM conversation
     WHERE t.account_id = $1 AND t.contact_id = conversation.contact_id AND t.business_phone_id = $7`,
    [
      accountId,
      messageIds,
      contents.map(({ contactId }) => contactId),
      contents.map(({ content }) => content),
      ...idRange(messageIds),
      businessPhoneId,
      at,
    ],
  );
}

/** Which contacts have opted out by now. */
export async function findOptedOut(
  accountId: string,
  contactIds: readonly RecordId[],
  db: Database,
): Promise<ReadonlySet<RecordId>> {
  const rows = await db.rows<{ id: RecordId }>(
    `SELECT c.id FROM contacts c WHERE c.account_id = $1 AND c.id = ANY ($2::uuid[]) AND ${optedOut('c')}`,
    [accountId, contactIds],
  );
  return new Set(rows.map(({ id }) => id));
}
