import type { Tx } from '../database/unit-of-work.js';
import type { EventRow } from '../outbox/outbox.js';
import { fullName } from './message-event.js';
import type { MessageReport, ReportedMessage, ReportOutcome } from './message-report.js';

interface ReportedRow {
  readonly account_id: string;
  readonly id: string;
  readonly seen: number;
  readonly network_message_id: string | null;
  readonly campaign_id: string | null;
  readonly campaign_name: string | null;
  readonly recipient_id: string | null;
  readonly contact_id: string;
  readonly business_phone_id: string;
  readonly contact_phone: string;
  readonly first_name: string;
  readonly last_name: string | null;
  readonly error_code: number | null;
  readonly error_message: string | null;
  readonly accepted_at: Date | null;
  readonly sent_at: Date | null;
  readonly delivered_at: Date | null;
  readonly read_at: Date | null;
  readonly clicked_at: Date | null;
  readonly failed_at: Date | null;
}

/**
 * Locks messages, in the order of their ids, and reads what reports about them need. Pipeline statement: the tenants
 * come as an array beside the ids, and each row must match its own.
 */
export async function lockReportedMessages(
  named: readonly Pick<MessageReport, 'accountId' | 'messageId'>[],
  tx: Tx,
): Promise<ReportedMessage[]> {
  const rows = await tx.rows<ReportedRow>(
    `SELECT m.account_id, m.id, m.seen, m.network_message_id, m.campaign_id, g.name AS campaign_name, m.recipient_id,
            m.contact_id, m.business_phone_id, c.phone_number AS contact_phone, c.first_name, c.last_name, m.error_code,
            m.error_message, m.accepted_at, m.sent_at, m.delivered_at, m.read_at, m.clicked_at, m.failed_at
     FROM unnest($1::uuid[], $2::uuid[]) AS wanted (account_id, id)
     JOIN messages m ON m.account_id = wanted.account_id AND m.id = wanted.id AND m.direction = 'out'
     JOIN contacts c ON c.account_id = m.account_id AND c.id = m.contact_id
     LEFT JOIN campaigns g ON g.account_id = m.account_id AND g.id = m.campaign_id
     ORDER BY m.id
     FOR UPDATE OF m`,
    [named.map(({ accountId }) => accountId), named.map(({ messageId }) => messageId)],
  );
  return rows.map((row) => ({
    accountId: row.account_id,
    messageId: row.id,
    contactId: row.contact_id,
    businessPhoneId: row.business_phone_id,
    contactPhone: row.contact_phone,
    contactName: fullName(row.first_name, row.last_name),
    campaignId: row.campaign_id,
    campaignName: row.campaign_name,
    recipientId: row.recipient_id,
    seen: row.seen,
    networkMessageId: row.network_message_id,
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
    times: {
      accepted: row.accepted_at,
      sent: row.sent_at,
      delivered: row.delivered_at,
      read: row.read_at,
      clicked: row.clicked_at,
      failed: row.failed_at,
    },
  }));
}

/** Stores what reports made of messages. Pipeline statement; anything known settles the question of the outcome. */
export function storeReportedMessages(outcomes: readonly ReportOutcome[], tx: Tx): Promise<number> {
  const of = <T>(read: (outcome: ReportOutcome) => T): T[] => outcomes.map(read);
  return tx.affected(
    `UPDATE messages m
     SET seen = r.seen, status = r.status, network_message_id = r.network_message_id, error_code = r.error_code,
         error_message = r.error_message, accepted_at = r.accepted_at, sent_at = r.sent_at,
         delivered_at = r.delivered_at, read_at = r.read_at, clicked_at = r.clicked_at, failed_at = r.failed_at,
         settle_at = NULL
     FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[], $5::text[], $6::int[], $7::text[], $8::timestamptz[],
                 $9::timestamptz[], $10::timestamptz[], $11::timestamptz[], $12::timestamptz[], $13::timestamptz[])
       AS r (account_id, id, seen, status, network_message_id, error_code, error_message, accepted_at, sent_at,
             delivered_at, read_at, clicked_at, failed_at)
     WHERE m.account_id = r.account_id AND m.id = r.id`,
    [
      of(({ message }) => message.accountId),
      of(({ message }) => message.messageId),
      of(({ message }) => message.seen),
      of(({ status }) => status),
      of(({ message }) => message.networkMessageId),
      of(({ message }) => message.error?.code ?? null),
      of(({ message }) => message.error?.message ?? null),
      of(({ message }) => message.times.accepted),
      of(({ message }) => message.times.sent),
      of(({ message }) => message.times.delivered),
      of(({ message }) => message.times.read),
      of(({ message }) => message.times.clicked),
      of(({ message }) => message.times.failed),
    ],
  );
}

/**
 * Stores the first thing that is learned about messages, with its events, in one statement: only those of which nothing
 * else has been learned meanwhile. Pipeline statement: messages and events name their tenants.
 *
 * @returns the ids of the messages that were stored
 */
export async function storeFirstReports(
  outcomes: readonly ReportOutcome[],
  events: readonly (EventRow & { readonly messageId: string })[],
  tx: Tx,
): Promise<string[]> {
  const of = <T>(read: (outcome: ReportOutcome) => T): T[] => outcomes.map(read);
  const rows = await tx.rows<{ id: string }>(
    `WITH stored AS (
       UPDATE messages m
       SET seen = r.seen, status = r.status, network_message_id = r.network_message_id, accepted_at = r.accepted_at,
           sent_at = r.sent_at, settle_at = NULL
       FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[])
              AS r (account_id, id, seen, status, network_message_id, accepted_at, sent_at)
       WHERE m.account_id = r.account_id AND m.id = r.id AND m.seen = 0
       RETURNING m.account_id, m.id
     ), event AS (
       INSERT INTO events (account_id, id, occurred_at, kind, body)
       SELECT e.account_id, e.id, e.occurred_at, e.kind, e.body
       FROM unnest($8::uuid[], $9::uuid[], $10::uuid[], $11::timestamptz[], $12::text[], $13::text[])
              AS e (account_id, message_id, id, occurred_at, kind, body)
       JOIN stored s ON s.account_id = e.account_id AND s.id = e.message_id
       RETURNING account_id, id, occurred_at, kind
     ), announced AS (
       INSERT INTO outbox (account_id, event_id, occurred_at, kind)
       SELECT account_id, id, occurred_at, kind FROM event
     )
     SELECT id FROM stored`,
    [
      of(({ message }) => message.accountId),
      of(({ message }) => message.messageId),
      of(({ message }) => message.seen),
      of(({ status }) => status),
      of(({ message }) => message.networkMessageId),
      of(({ message }) => message.times.accepted),
      of(({ message }) => message.times.sent),
      events.map(({ accountId }) => accountId),
      events.map(({ messageId }) => messageId),
      events.map(({ id }) => id),
      events.map(({ occurredAt }) => occurredAt),
      events.map(({ kind }) => kind),
      events.map(({ body }) => body),
    ],
  );
  return rows.map(({ id }) => id);
}

/**
 * The messages that the network knows by these ids, for reports that do not carry ours. Pipeline statement: each id is
 * looked up in its own tenant.
 */
export function findByNetworkIds(
  accountIds: readonly string[],
  networkMessageIds: readonly string[],
  tx: Tx,
): Promise<{ account_id: string; id: string; network_message_id: string }[]> {
  return tx.rows(
    `SELECT m.account_id, m.id, m.network_message_id
     FROM unnest($1::uuid[], $2::text[]) AS wanted (account_id, network_message_id)
     JOIN messages m ON m.account_id = wanted.account_id AND m.network_message_id = wanted.network_message_id
     WHERE m.direction = 'out'`,
    [accountIds, networkMessageIds],
  );
}

/**
 * Messages whose outcome has stayed unknown until the horizon; those that a campaign still has in hand are not among
 * them. Pipeline statement, all tenants.
 */
export function findExpiredMessages(most: number, tx: Tx): Promise<{ account_id: string; id: string }[]> {
  return tx.rows(
    `SELECT m.account_id, m.id
     FROM messages m
     LEFT JOIN campaign_recipients r ON r.account_id = m.account_id AND r.id = m.recipient_id
     WHERE m.settle_at <= now() AND (r.id IS NULL OR r.state NOT IN ('pending', 'sending'))
     ORDER BY m.settle_at
     LIMIT $1`,
    [most],
  );
}
