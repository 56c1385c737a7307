import type { Tx } from '../database/unit-of-work.js';
import type { OriginalMessage } from './inbound-event.js';
import { type InboundMessage, NETWORK_NOTICE } from './inbound-message.js';

/**
 * Stores an inbound message once: the network may deliver it many times.
 *
 * @returns false when it was stored before
 */
export async function insertInbound(
  accountId: string,
  stored: { id: string; contactId: string; businessPhoneId: string; contextMessageId: string | null },
  message: InboundMessage,
  tx: Tx,
): Promise<boolean> {
  const inserted = await tx.affected(
    `INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, content,
                           context_message_id, status, network_message_id, payload, created_at)
     VALUES ($1, $2, 'in', $3, $4, $5, $6, $7, 'received', $8, $9, $10)
     ON CONFLICT (account_id, network_message_id) WHERE network_message_id IS NOT NULL DO NOTHING`,
    [
      accountId,
      stored.id,
      stored.contactId,
      stored.businessPhoneId,
      message.messageType,
      message.content,
      stored.contextMessageId,
      message.networkMessageId,
      JSON.stringify(message.raw),
      message.at,
    ],
  );
  return inserted === 1;
}

/** Messages of one contact are taken in one after the other: which one is the first to answer depends on it (D19). */
export async function takeTurn(accountId: string, contactId: string, tx: Tx): Promise<void> {
  await tx.row('SELECT 1 AS held FROM contacts WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE', [
    accountId,
    contactId,
  ]);
}

/** Whether an inbound message is stored already. */
export async function isStored(accountId: string, networkMessageId: string, tx: Tx): Promise<boolean> {
  const row = await tx.row('SELECT 1 AS found FROM messages WHERE account_id = $1 AND network_message_id = $2', [
    accountId,
    networkMessageId,
  ]);
  return row !== null;
}

interface OriginalRow {
  readonly id: string;
  readonly campaign_id: string | null;
  readonly campaign_name: string | null;
  readonly recipient_id: string | null;
  readonly sent_at: Date;
}

const ORIGINAL = `SELECT m.id, m.campaign_id, g.name AS campaign_name, m.recipient_id,
            coalesce(m.sent_at, m.accepted_at, m.created_at) AS sent_at
     FROM messages m LEFT JOIN campaigns g ON g.account_id = m.account_id AND g.id = m.campaign_id`;

/** Our message to this contact that an inbound one quotes, taps on or reacts to, by the network's id. */
export async function findQuoted(
  accountId: string,
  contactId: string,
  networkMessageId: string,
  tx: Tx,
): Promise<OriginalMessage | null> {
  const row = await tx.row<OriginalRow>(
    `${ORIGINAL}
     WHERE m.account_id = $1 AND m.network_message_id = $2 AND m.contact_id = $3 AND m.direction = 'out'`,
    [accountId, networkMessageId, contactId],
  );
  return row === null ? null : originalOf(row);
}

/**
 * The campaign message that an inbound one answers without quoting it: the latest of the 24 hours before it, unless the
 * contact has written since (D19). The network tells time in whole seconds; within one, the order of arrival decides.
 */
export async function findAnsweredCampaignMessage(
  accountId: string,
  contactId: string,
  businessPhoneId: string,
  at: Date,
  tx: Tx,
): Promise<OriginalMessage | null> {
  const row = await tx.row<OriginalRow>(
    `${ORIGINAL}
     WHERE m.account_id = $1 AND m.contact_id = $2 AND m.business_phone_id = $3 AND m.direction = 'out'
       AND m.campaign_id IS NOT NULL AND m.status NOT IN ('pending', 'failed')
       AND m.created_at > $4::timestamptz - interval '24 hours' AND m.created_at <= $4::timestamptz + interval '1 second'
       AND NOT EXISTS (SELECT 1 FROM messages i
                       WHERE i.account_id = $1 AND i.contact_id = $2 AND i.business_phone_id = $3
                         AND i.direction = 'in' AND i.message_type <> $5
                         AND (i.created_at >= m.created_at
                              OR i.created_at >= date_trunc('second', m.created_at) AND i.id > m.id))
     ORDER BY m.id DESC LIMIT 1`,
    [accountId, contactId, businessPhoneId, at, NETWORK_NOTICE],
  );
  return row === null ? null : originalOf(row);
}

const originalOf = (row: OriginalRow): OriginalMessage => ({
  id: row.id,
  campaignId: row.campaign_id,
  campaignName: row.campaign_name,
  recipientId: row.recipient_id,
  sentAt: row.sent_at,
});

/** The words by which contacts of this account opt out and in (D21, D41). */
export async function findConsentWords(accountId: string, tx: Tx): Promise<{ stop: string[]; start: string[] }> {
  const row = await tx.row<{ stop: string[]; start: string[] }>(
    `SELECT coalesce(o.stop_words, '{STOP,UNSUBSCRIBE,"OPT OUT"}') AS stop, coalesce(o.start_words, '{START}') AS start
     FROM accounts a LEFT JOIN organisations o ON o.id = a.organisation_id
     WHERE a.id = $1`,
    [accountId],
  );
  return row ?? { stop: [], start: [] };
}
