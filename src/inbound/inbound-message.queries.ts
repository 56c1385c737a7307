import { lowestIdAt } from '../database/schema/partitions.js';
import type { Tx } from '../database/unit-of-work.js';
import type { Message } from '../messages/message.entity.js';
import { FROM_PHONE_APP, SEEN } from '../messages/message-status.js';
import { storedPayload } from '../messages/storable-payload.js';
import type { EnsuredContact } from '../people/ensured-contacts.queries.js';
import { idsOfPerson } from '../people/merged-contact.queries.js';
import { HOUR } from '../values/clock.js';
import type { OriginalMessage } from './inbound-event.js';
import type { Echo } from './inbound-message.js';
import { lockOf } from './message-change.queries.js';
import { CLOCK_SLACK_MS, ORIGINAL_COLUMNS } from './named-message.queries.js';

/** The contact was erased, merged or given another number while its message was being stored; a retry finds or creates its own. */
export class ContactChanged extends Error {}

/** What the statement that stores an inbound message says. */
export interface StoredOnce {
  /** Whether an edit or a revocation of it has arrived before it. */
  readonly isAwaited: boolean;
}

/** What the two kinds of messages that callbacks deliver differ in. */
const WRITTEN_BY = {
  contact: { direction: 'in', status: 'received', seen: 0 },
  /** The business, with the phone app. */
  business: { direction: 'out', status: 'sent', seen: SEEN.sent | FROM_PHONE_APP },
} as const;

/**
 * Stores a delivered message once, however often the network delivers it; its network id is the key. `created_at` is the
 * message's own time.
 *
 * @param changes hashes of what names it in edits and revocations
 * @returns null when the message was already stored
 */
export function insertDelivered(
  accountId: string,
  writer: keyof typeof WRITTEN_BY,
  stored: Pick<Message, 'id' | 'contactId' | 'businessPhoneId' | 'contextMessageId'>,
  { networkMessageId, read, raw, at }: Echo,
  changes: readonly string[],
  tx: Tx,
): Promise<StoredOnce | null> {
  const { direction, status, seen } = WRITTEN_BY[writer];
  return tx.row<StoredOnce>(
    `WITH first AS (
       INSERT INTO network_messages (account_id, network_message_id, message_id, outbound)
       VALUES ($1, $2, $3, $12::text = 'out')
       ON CONFLICT ON CONSTRAINT network_messages_pkey DO NOTHING
       RETURNING account_id, network_message_id, message_id
     )
     INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, content,
                           context_message_id, status, seen, network_message_id, payload, created_at, sent_at)
     SELECT account_id, message_id, $12, $4::uuid, $5::uuid, $6, $7, $8::uuid, $13, $14, network_message_id, $9::json,
            $10::timestamptz, CASE WHEN $12 = 'out' THEN $10 END
     FROM first
     RETURNING EXISTS (SELECT FROM unhandled_callbacks u WHERE u.account_id = $1 AND u.waits_for = ANY ($11::text[]))
       AS is_awaited`,
    [
      accountId,
      networkMessageId,
      stored.id,
      stored.contactId,
      stored.businessPhoneId,
      read.messageType,
      read.content,
      stored.contextMessageId,
      JSON.stringify(storedPayload(raw)),
      at,
      changes,
      direction,
      status,
      seen,
    ],
  );
}

/**
 * Locks a contact, so that its messages are stored one after another: only the first one after a campaign message
 * answers it.
 *
 * @returns false when the contact was erased, merged or given another number meanwhile; the message then belongs to another one
 */
export async function lockContact(
  accountId: string,
  { id, phoneNumber }: Pick<EnsuredContact, 'id' | 'phoneNumber'>,
  tx: Tx,
): Promise<boolean> {
  const row = await tx.row<Pick<EnsuredContact, 'phoneNumber'>>(
    `SELECT phone_number FROM contacts WHERE account_id = $1 AND id = $2 AND erased_at IS NULL AND merged_into IS NULL
     FOR NO KEY UPDATE`,
    [accountId, id],
  );
  return row !== null && row.phoneNumber === phoneNumber;
}

/**
 * Whether an inbound or outbound message with this network id is stored. For erased contacts, only a hash of it is. Until
 * the transaction ends, nothing else with one of the `names` is stored.
 *
 * @param names hashes of what names it in changes
 */
export async function isStored(
  accountId: string,
  networkMessageId: string,
  names: readonly string[],
  tx: Tx,
): Promise<boolean> {
  const row = await tx.row<{ readonly isStored: boolean }>(
    `SELECT EXISTS (SELECT FROM network_messages
                    WHERE account_id = $1 AND network_message_id IN ($2, erased_network_id($2))) AS is_stored,
            (SELECT count(${lockOf('$1', 'name')}) FROM unnest($3::text[]) name) AS locked`,
    [accountId, networkMessageId, names],
  );
  return row?.isStored === true;
}

/**
 * Finds the campaign message that an inbound one answers without quoting it: the latest one in the previous 24 hours,
 * unless the contact has written since. The network reports whole seconds; within a second, the order of arrival
 * decides.
 *
 * The id ranges limit the query to the partitions that can contain such messages. An inbound message is never dated
 * after its arrival, so any that the contact has written since have ids in the same 24 hours or later.
 */
export function findAnsweredCampaignMessage(
  accountId: string,
  contactId: string,
  businessPhoneId: string,
  at: Date,
  tx: Tx,
): Promise<OriginalMessage | null> {
  const from = lowestIdAt(new Date(at.getTime() - 24 * HOUR - CLOCK_SLACK_MS));
  const until = lowestIdAt(new Date(at.getTime() + CLOCK_SLACK_MS));
  return tx.row<OriginalMessage>(
    `SELECT ${ORIGINAL_COLUMNS}
     FROM messages m
     LEFT JOIN campaigns g ON g.account_id = m.account_id AND g.id = m.campaign_id
     WHERE m.account_id = $1 AND m.contact_id = ANY (${idsOfPerson('$2')}) AND m.business_phone_id = $3 AND m.direction = 'out'
       AND m.campaign_id IS NOT NULL AND m.status NOT IN ('pending', 'failed')
       AND m.id >= $5::uuid AND m.id < $6::uuid
       AND m.created_at > $4::timestamptz - interval '24 hours' AND m.created_at <= $4::timestamptz + interval '1 second'
       AND NOT EXISTS (SELECT FROM messages i
                       WHERE i.account_id = $1 AND i.contact_id = ANY (${idsOfPerson('$2')}) AND i.business_phone_id = $3
                         AND i.id >= $5::uuid AND i.direction = 'in' AND i.message_type <> 'system'
                         AND (i.created_at >= m.created_at
                              OR i.created_at >= date_trunc('second', m.created_at) AND i.id > m.id))
     ORDER BY m.id DESC LIMIT 1`,
    [accountId, contactId, businessPhoneId, at, from, until],
  );
}
