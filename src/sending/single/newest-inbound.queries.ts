import { lowestIdAt } from '../../database/schema/partitions.js';
import type { Database } from '../../database/unit-of-work.js';
import type { Message } from '../../messages/message.entity.js';
import type { ContactRef } from '../../people/contact-ref.js';
import { idsOfPerson } from '../../people/merged-contact.queries.js';
import { isNamed } from '../../people/person-keys.js';

/** A message of a contact, as the network knows it. */
export type InboundToRead = Readonly<Pick<Message, 'id' | 'businessPhoneId'>> & { readonly networkMessageId: string };

/**
 * The newest message that a contact wrote since a time: what the network can be told to have been read. Reactions and
 * notices are not part of it, nor is what was deleted.
 *
 * @param businessPhoneId null: on any phone
 */
export function findNewestInbound(
  accountId: string,
  { by, value }: ContactRef,
  businessPhoneId: string | null,
  since: Date,
  db: Database,
): Promise<InboundToRead | null> {
  return db.row<InboundToRead>(
    `SELECT m.id, m.business_phone_id, m.network_message_id
     FROM contacts c JOIN messages m ON m.account_id = $1 AND m.contact_id = ANY (${idsOfPerson('c.id')})
     WHERE c.account_id = $1 AND ${isNamed('c', by, '$2')} AND c.erased_at IS NULL
       AND m.id >= $4::uuid AND m.created_at > $5 AND m.direction = 'in'
       AND m.message_type NOT IN ('reaction', 'system') AND m.revoked_at IS NULL AND m.network_message_id IS NOT NULL
       AND ($3::uuid IS NULL OR m.business_phone_id = $3)
     ORDER BY m.id DESC LIMIT 1`,
    [accountId, value, businessPhoneId, lowestIdAt(since), since],
  );
}
