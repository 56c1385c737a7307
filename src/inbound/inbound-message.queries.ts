import { lowestIdAt } from '../database/schema/partitions.js';
import type { Tx } from '../database/unit-of-work.js';
import type { Message } from '../messages/message.entity.js';
import { HOUR } from '../values/clock.js';
import type { OriginalMessage } from './inbound-event.js';
import { type InboundMessage, NETWORK_NOTICE } from './inbound-message.js';

/**
 * Stores an inbound message once, however often the network delivers it; its network id is the key. `created_at` is the
 * message's own timestamp, while its id is generated on arrival.
 *
 * @returns false when the message was already stored
 */
export async function insertInbound(
  accountId: string,
  stored: Pick<Message, 'id' | 'contactId' | 'businessPhoneId' | 'contextMessageId'>,
  message: InboundMessage,
  tx: Tx,
): Promise<boolean> {
  const inserted = await tx.affected(
    `WITH first AS (
       INSERT INTO network_messages (account_id, network_message_id, message_id, outbound)
       VALUES ($1, $2, $3, false)
       ON CONFLICT ON CONSTRAINT network_messages_pkey DO NOTHING
       RETURNING account_id, network_message_id, message_id
     )
     INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, content,
                           context_message_id, status, network_message_id, payload, created_at)
     SELECT account_id, message_id, 'in', $4::uuid, $5::uuid, $6, $7, $8::uuid, 'received', network_message_id, $9::json,
            $10::timestamptz
     FROM first`,
    [
      accountId,
      message.networkMessageId,
      stored.id,
      stored.contactId,
      stored.businessPhoneId,
      message.messageType,
      message.content,
      stored.contextMessageId,
      JSON.stringify(message.raw),
      message.at,
    ],
  );
  return inserted === 1;
}

/**
 * Locks a contact, so that its messages are stored one after another: only the first one after a campaign message
 * answers it.
 *
 * @returns false when the contact was erased meanwhile; the message then belongs to a new contact
 */
export async function lockContact(accountId: string, contactId: string, tx: Tx): Promise<boolean> {
  const row = await tx.row(
    'SELECT 1 AS locked FROM contacts WHERE account_id = $1 AND id = $2 AND erased_at IS NULL FOR NO KEY UPDATE',
    [accountId, contactId],
  );
  return row !== null;
}

/** Whether an inbound or outbound message with this network id is stored. For erased contacts, only a hash of it is. */
export async function isStored(accountId: string, networkMessageId: string, tx: Tx): Promise<boolean> {
  const row = await tx.row(
    `SELECT 1 AS found FROM network_messages
     WHERE account_id = $1 AND network_message_id IN ($2, erased_network_id($2)) LIMIT 1`,
    [accountId, networkMessageId],
  );
  return row !== null;
}

const ORIGINAL_COLUMNS = `m.id, m.campaign_id, g.name AS campaign_name,
            coalesce(m.sent_at, m.accepted_at, m.created_at) AS sent_at`;

/**
 * Finds our message that an inbound one quotes, taps or reacts to, by its network id. A subquery looks up our own id
 * first, so that only one partition is read.
 */
export function findQuoted(
  accountId: string,
  contactId: string,
  networkMessageId: string,
  tx: Tx,
): Promise<OriginalMessage | null> {
  return tx.row<OriginalMessage>(
    `SELECT ${ORIGINAL_COLUMNS}
     FROM messages m
     LEFT JOIN campaigns g ON g.account_id = m.account_id AND g.id = m.campaign_id
     WHERE m.account_id = $1 AND m.contact_id = $2
       AND m.id = (SELECT n.message_id FROM network_messages n
                   WHERE n.account_id = $1 AND n.network_message_id = $3 AND n.outbound)`,
    [accountId, contactId, networkMessageId],
  );
}

/** How far the time in a message's id may be from its `created_at`, milliseconds: they come from two clocks. */
const CLOCK_SLACK_MS = HOUR;

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
     WHERE m.account_id = $1 AND m.contact_id = $2 AND m.business_phone_id = $3 AND m.direction = 'out'
       AND m.campaign_id IS NOT NULL AND m.status NOT IN ('pending', 'failed')
       AND m.id >= $6::uuid AND m.id < $7::uuid
       AND m.created_at > $4::timestamptz - interval '24 hours' AND m.created_at <= $4::timestamptz + interval '1 second'
       AND NOT EXISTS (SELECT FROM messages i
                       WHERE i.account_id = $1 AND i.contact_id = $2 AND i.business_phone_id = $3
                         AND i.id >= $6::uuid AND i.direction = 'in' AND i.message_type <> $5
                         AND (i.created_at >= m.created_at
                              OR i.created_at >= date_trunc('second', m.created_at) AND i.id > m.id))
     ORDER BY m.id DESC LIMIT 1`,
    [accountId, contactId, businessPhoneId, at, NETWORK_NOTICE, from, until],
  );
}

/** The words with which contacts of this account opt out and in. */
export async function findConsentWords(accountId: string, tx: Tx): Promise<{ stop: string[]; start: string[] }> {
  const row = await tx.row<{ stop: string[]; start: string[] }>(
    `SELECT coalesce(o.stop_words, '{STOP,UNSUBSCRIBE,"OPT OUT"}') AS stop, coalesce(o.start_words, '{START}') AS start
     FROM accounts a LEFT JOIN organisations o ON o.id = a.organisation_id
     WHERE a.id = $1`,
    [accountId],
  );
  return row ?? { stop: [], start: [] };
}
