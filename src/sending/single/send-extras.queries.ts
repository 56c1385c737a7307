import { lowestIdAt } from '../../database/schema/partitions.js';
import type { Database } from '../../database/unit-of-work.js';
import type { Message } from '../../messages/message.entity.js';
import type { ContactRef } from '../../people/contact-ref.js';
import { idsOfPerson } from '../../people/merged-contact.queries.js';
import { isNamed } from '../../people/person-keys.js';
import type { RecordId } from '../../values/record-id.js';

/** A message that another one is to name, if it is one of the conversation. */
export type NameableMessage = Readonly<Pick<Message, 'networkMessageId' | 'messageType' | 'createdAt' | 'revokedAt'>>;

/**
 * Finds a message of the conversation of a contact with a business phone.
 *
 * @param since what is older is not looked for
 */
export function findNameable(
  accountId: string,
  id: RecordId,
  { contact, businessPhoneId, since }: NameablePlace,
  db: Database,
): Promise<NameableMessage | null> {
  return db.row<NameableMessage>(
    `SELECT m.network_message_id, m.message_type, m.created_at, m.revoked_at
     FROM contacts c JOIN messages m ON m.account_id = c.account_id AND m.contact_id = ANY (${idsOfPerson('c.id')})
     WHERE c.account_id = $1 AND ${isNamed('c', contact.by, '$2')}
       AND m.id = $3 AND m.id >= $5::uuid AND m.business_phone_id = $4`,
    [accountId, contact.value, id, businessPhoneId, lowestIdAt(since)],
  );
}

export interface NameablePlace {
  readonly contact: ContactRef;
  readonly businessPhoneId: RecordId;
  readonly since: Date;
}

/** Whether a user is an active agent of the account's organisation. */
export async function isActiveAgent(accountId: string, userId: RecordId, db: Database): Promise<boolean> {
  const row = await db.row(
    `SELECT u.id FROM accounts a JOIN users u ON u.organisation_id = a.organisation_id
     WHERE a.id = $1 AND u.id = $2 AND u.status = 'active'`,
    [accountId, userId],
  );
  return row !== null;
}
