import type { Tx } from '../database/unit-of-work.js';
import { ANNOUNCED, eventRow } from '../outbox/outbox.js';
import { fullName } from './message-event.js';
import type { MessageReport, ReportedMessage, ReportOutcome, Step } from './message-report.js';

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
}

/**
 * Reads of messages what reports about them need. Pipeline statement: the tenants come as an array beside the ids, and
 * each row must match its own.
 *
 * @param lock whether the messages stay locked until the transaction ends; they are locked in the order of their ids
 */
export async function readReportedMessages(
  named: readonly Pick<MessageReport, 'accountId' | 'messageId'>[],
  { lock }: { readonly lock: boolean },
  tx: Tx,
): Promise<ReportedMessage[]> {
  const ordered = [...named].sort(byMessageId);
  // LIMIT 1 makes each message one look into the index, whatever the planner believes of the table's size.
  const rows = await tx.rows<ReportedRow>(
    `SELECT m.account_id, m.id, m.seen, m.network_message_id, m.campaign_id, g.name AS campaign_name, m.recipient_id,
            m.contact_id, m.business_phone_id, c.phone_number AS contact_phone, c.first_name, c.last_name, m.error_code,
            m.error_message
     FROM unnest($1::uuid[], $2::uuid[]) AS wanted (account_id, id)
     CROSS JOIN LATERAL (
       SELECT * FROM messages m WHERE m.account_id = wanted.account_id AND m.id = wanted.id LIMIT 1${lock ? ' FOR UPDATE' : ''}
     ) m
     CROSS JOIN LATERAL (
       SELECT * FROM contacts c WHERE c.account_id = m.account_id AND c.id = m.contact_id LIMIT 1
     ) c
     LEFT JOIN LATERAL (
       SELECT * FROM campaigns g WHERE g.account_id = m.account_id AND g.id = m.campaign_id LIMIT 1
     ) g ON true
     WHERE m.direction = 'out'`,
    [ordered.map(({ accountId }) => accountId), ordered.map(({ messageId }) => messageId)],
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
  }));
}

/**
 * Stores what reports made of messages, with the events that follow, in one statement: only those messages about which
 * nothing else has been learned since they were read. Anything known settles the question of the outcome. Pipeline
 * statement: messages and events name their tenants.
 *
 * @returns the ids of the messages that were stored
 */
export async function storeReportOutcomes(outcomes: readonly ReportOutcome[], tx: Tx): Promise<Set<string>> {
  const ordered = [...outcomes].sort((a, b) => byMessageId(a.message, b.message));
  const of = <T>(read: (outcome: ReportOutcome) => T): T[] => ordered.map(read);
  const timesOf = (step: Step): (Date | null)[] => of(({ reached }) => reached[step] ?? null);
  const events = ordered.flatMap(({ message: { messageId }, events: told }) =>
    told.map((event) => ({ ...eventRow(event), messageId })),
  );
  const rows = await tx.rows<{ id: string }>(
    `WITH stored AS (
       UPDATE messages m
       SET seen = r.seen, status = r.status, network_message_id = r.network_message_id, error_code = r.error_code,
           error_message = r.error_message, accepted_at = coalesce(r.accepted_at, m.accepted_at),
           sent_at = coalesce(r.sent_at, m.sent_at), delivered_at = coalesce(r.delivered_at, m.delivered_at),
           read_at = coalesce(r.read_at, m.read_at), clicked_at = coalesce(r.clicked_at, m.clicked_at),
           failed_at = coalesce(r.failed_at, m.failed_at), settle_at = NULL
       FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[], $5::text[], $6::text[], $7::int[], $8::text[],
                   $9::timestamptz[], $10::timestamptz[], $11::timestamptz[], $12::timestamptz[], $13::timestamptz[],
                   $14::timestamptz[])
              AS r (account_id, id, seen_before, seen, status, network_message_id, error_code, error_message,
                    accepted_at, sent_at, delivered_at, read_at, clicked_at, failed_at)
       WHERE m.account_id = r.account_id AND m.id = r.id AND m.seen = r.seen_before
       RETURNING m.account_id, m.id
     ), event AS (
       INSERT INTO events (account_id, id, occurred_at, kind, body)
       SELECT e.account_id, e.id, e.occurred_at, e.kind, e.body
       FROM unnest($15::uuid[], $16::uuid[], $17::uuid[], $18::timestamptz[], $19::text[], string_to_array($20, E'\\n'))
              AS e (account_id, message_id, id, occurred_at, kind, body)
       JOIN stored s ON s.account_id = e.account_id AND s.id = e.message_id
       RETURNING account_id, id, occurred_at, kind
     ), announced AS (
       ${ANNOUNCED}
     )
     SELECT id FROM stored`,
    [
      of(({ message }) => message.accountId),
      of(({ message }) => message.messageId),
      of(({ before }) => before.seen),
      of(({ message }) => message.seen),
      of(({ status }) => status),
      of(({ message }) => message.networkMessageId),
      of(({ message }) => message.error?.code ?? null),
      of(({ message }) => message.error?.message ?? null),
      timesOf('accepted'),
      timesOf('sent'),
      timesOf('delivered'),
      timesOf('read'),
      timesOf('clicked'),
      timesOf('failed'),
      events.map(({ accountId }) => accountId),
      events.map(({ messageId }) => messageId),
      events.map(({ id }) => id),
      events.map(({ occurredAt }) => occurredAt),
      events.map(({ kind }) => kind),
      // JSON has no line breaks outside of its escapes: far cheaper to take apart than an array of texts full of quotes.
      events.map(({ body }) => body).join('\n'),
    ],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Rows are locked in this order. */
const byMessageId = (a: { readonly messageId: string }, b: { readonly messageId: string }): number =>
  a.messageId < b.messageId ? -1 : a.messageId > b.messageId ? 1 : 0;

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
