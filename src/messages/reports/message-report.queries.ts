import { fullName } from '../../contacts/contact-name.js';
import type { Tx } from '../../database/unit-of-work.js';
import { ANNOUNCED, eventRow } from '../../outbox/outbox.js';
import { idRange } from '../../values/record-id.js';
import type { Message } from '../message.entity.js';
import type { MessageReport, ReportedMessage, ReportOutcome, Step } from './message-report.js';
import type { Counts } from './message-status.js';

type ReportedRow = Pick<
  Message,
  | 'accountId'
  | 'id'
  | 'seen'
  | 'networkMessageId'
  | 'campaignId'
  | 'contactId'
  | 'businessPhoneId'
  | 'errorCode'
  | 'pricing'
> & {
  readonly errorMessage: string | null;
  readonly campaignName: string | null;
  readonly phoneNumber: string | null;
  readonly userId: string | null;
  readonly firstName: string;
  readonly lastName: string | null;
};

/** The messages named by the parameters: tenants, ids and the range of the ids. */
const NAMED_MESSAGES = `FROM unnest($1::uuid[], $2::uuid[]) AS wanted (account_id, id)
       JOIN messages m ON m.account_id = wanted.account_id AND m.id = wanted.id
       WHERE m.id >= $3 AND m.id <= $4 AND m.direction = 'out'`;

/**
 * Reads the messages that reports are about. Pipeline statement: tenants come as an array next to the ids, and each row
 * must match its own. Contacts are joined after the messages are locked, because a merge may have moved a message to
 * another contact while we waited.
 *
 * @param lock whether to lock the messages until the transaction ends; locks are taken in id order
 */
export async function readReportedMessages(
  named: readonly Pick<MessageReport, 'accountId' | 'messageId'>[],
  { lock }: { readonly lock: boolean },
  tx: Tx,
): Promise<ReportedMessage[]> {
  const ids = named.map(({ messageId }) => messageId);
  const rows = await tx.rows<ReportedRow>(
    `${lock ? `WITH m AS MATERIALIZED (SELECT m.* ${NAMED_MESSAGES} ORDER BY m.id FOR UPDATE OF m)` : ''}
     SELECT m.account_id, m.id, m.seen, m.network_message_id, m.campaign_id, g.name AS campaign_name, m.contact_id,
            m.business_phone_id, c.phone_number, c.user_id, c.first_name, c.last_name, m.error_code, m.error_message,
            m.pricing
     FROM ${lock ? 'm' : `(SELECT m.* ${NAMED_MESSAGES}) m`}
     JOIN contacts c ON c.account_id = m.account_id AND c.id = m.contact_id
     LEFT JOIN campaigns g ON g.account_id = m.account_id AND g.id = m.campaign_id`,
    [named.map(({ accountId }) => accountId), ids, ...idRange(ids)],
  );
  // Written out because this runs for every report, and rest destructuring would take a tenth of the time.
  return rows.map((row) => ({
    accountId: row.accountId,
    messageId: row.id,
    contactId: row.contactId,
    businessPhoneId: row.businessPhoneId,
    contact: { phoneNumber: row.phoneNumber, userId: row.userId },
    contactName: fullName(row),
    campaignId: row.campaignId,
    campaignName: row.campaignName,
    seen: row.seen,
    networkMessageId: row.networkMessageId,
    pricing: row.pricing,
    error: row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage ?? '' },
  }));
}

/** A row of `sends_in_flight` whose messages all have an outcome. */
export interface FinishedBatch {
  readonly accountId: string;
  readonly id: string;
}

const NAMED = `, named AS (
       INSERT INTO network_messages (account_id, network_message_id, message_id, outbound)
       SELECT account_id, network_message_id, id, true FROM stored WHERE network_message_id IS NOT NULL
       ON CONFLICT ON CONSTRAINT network_messages_pkey DO NOTHING
     )`;

const COUNTED = `, counted AS (
       INSERT INTO counter_changes (account_id, counter, subject_id, amount)
       SELECT s.account_id, c.counter, s.campaign_id, sum(c.amount)
       FROM stored s
       CROSS JOIN LATERAL (VALUES ('campaign.sent', s.sent), ('campaign.delivered', s.delivered),
                                  ('campaign.read', s.read), ('campaign.failed', s.failed)) AS c (counter, amount)
       WHERE s.campaign_id IS NOT NULL AND c.amount <> 0
       GROUP BY s.account_id, c.counter, s.campaign_id
     )`;

/** @param first the number of its first parameter, of six */
const LOGGED = (first: number): string => `, event AS (
       INSERT INTO events (account_id, id, occurred_at, kind, contact_id, body)
       SELECT e.account_id, e.id, e.occurred_at, e.kind, s.contact_id, e.body
       FROM unnest($${first}::uuid[], $${first + 1}::uuid[], $${first + 2}::uuid[], $${first + 3}::timestamptz[],
                   $${first + 4}::text[], $${first + 5}::text[])
              AS e (account_id, message_id, id, occurred_at, kind, body)
       JOIN stored s ON s.account_id = e.account_id AND s.id = e.message_id
       RETURNING account_id, id, kind, body
     ), announced AS (
       ${ANNOUNCED}
     )`;

/** @param first the number of its first parameter, of two */
const FINISHED = (first: number): string => `, finished AS (
       DELETE FROM sends_in_flight f USING unnest($${first}::uuid[], $${first + 1}::uuid[]) AS done (account_id, id)
       WHERE f.account_id = done.account_id AND f.id = done.id
     )`;

/**
 * Stores the new state of messages and all consequences in one statement: the network's ids, campaign counters, events,
 * and the end of batches in flight. Messages that changed since they were read are skipped, with their consequences.
 * Pipeline statement: every row names its tenant.
 *
 * @param finished batches that are complete with these outcomes
 * @returns the ids of the messages that were stored
 */
export async function storeReportOutcomes(
  outcomes: readonly ReportOutcome[],
  tx: Tx,
  finished: readonly FinishedBatch[] = [],
): Promise<Set<string>> {
  const ordered = [...outcomes].sort((a, b) => byMessageId(a.message, b.message));
  const of = <T>(read: (outcome: ReportOutcome) => T): T[] => ordered.map(read);
  // A column of nulls is sent as an empty array; unnest pads it with nulls.
  const given = <T>(read: (outcome: ReportOutcome) => T | null): (T | null)[] => {
    const values = of(read);
    return values.every((value) => value === null) ? [] : values;
  };
  const timesOf = (step: Step): (Date | null)[] => given(({ reached }) => reached[step] ?? null);
  const counted = (read: (delta: Counts) => number): (number | null)[] =>
    given(({ delta }) => (delta === null ? null : read(delta) || null));
  const ids = of(({ message }) => message.messageId);
  // Only new network ids: the row keeps the first one.
  const networkIds = given(({ before, message }) =>
    before.networkMessageId === null ? message.networkMessageId : null,
  );
  const events = ordered.flatMap(({ message: { messageId }, events: written }) =>
    written.map((event) => ({ ...eventRow(event), messageId })),
  );
  // Parts that no message needs are left out, because each one adds to the cost of every statement.
  const consequences = [
    ...(networkIds.length > 0 ? [NAMED] : []),
    ...(ordered.some(({ message }) => message.campaignId !== null) ? [COUNTED] : []),
    ...(events.length > 0 ? [LOGGED(22)] : []),
    ...(finished.length > 0 ? [FINISHED(events.length > 0 ? 28 : 22)] : []),
  ];
  const rows = await tx.rows<{ id: string }>(
    `WITH stored AS (
       UPDATE messages m
       SET seen = r.seen, status = r.status,
           network_message_id = coalesce(m.network_message_id, r.network_message_id), error_code = r.error_code,
           error_message = r.error_message, pricing = coalesce(r.pricing, m.pricing),
           accepted_at = coalesce(r.accepted_at, m.accepted_at), sent_at = coalesce(r.sent_at, m.sent_at),
           delivered_at = coalesce(r.delivered_at, m.delivered_at), read_at = coalesce(r.read_at, m.read_at),
           clicked_at = coalesce(r.clicked_at, m.clicked_at), failed_at = coalesce(r.failed_at, m.failed_at)
       FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[], $5::text[], $6::text[], $7::int[], $8::text[],
                   $9::timestamptz[], $10::timestamptz[], $11::timestamptz[], $12::timestamptz[], $13::timestamptz[],
                   $14::timestamptz[], $15::int[], $16::int[], $17::int[], $18::int[], $19::jsonb[])
              AS r (account_id, id, seen_before, seen, status, network_message_id, error_code, error_message,
                    accepted_at, sent_at, delivered_at, read_at, clicked_at, failed_at, sent, delivered, read, failed, pricing)
       WHERE m.account_id = r.account_id AND m.id = r.id AND m.seen = r.seen_before AND m.id >= $20 AND m.id <= $21
       RETURNING m.account_id, m.id, m.campaign_id, m.contact_id,
                 CASE WHEN m.network_message_id = r.network_message_id THEN r.network_message_id END
                   AS network_message_id, r.sent, r.delivered, r.read, r.failed
     )${consequences.join('')}
     SELECT id FROM stored`,
    [
      of(({ message }) => message.accountId),
      ids,
      of(({ before }) => before.seen),
      of(({ message }) => message.seen),
      of(({ status }) => status),
      networkIds,
      given(({ message }) => message.error?.code ?? null),
      given(({ message }) => message.error?.message ?? null),
      timesOf('accepted'),
      timesOf('sent'),
      timesOf('delivered'),
      timesOf('read'),
      timesOf('clicked'),
      timesOf('failed'),
      counted(({ sent }) => sent),
      counted(({ delivered }) => delivered),
      counted(({ read }) => read),
      counted(({ failed }) => failed),
      given(({ pricing }) => (pricing === null ? null : JSON.stringify(pricing))),
      ...idRange(ids),
      ...(events.length > 0
        ? [
            events.map(({ accountId }) => accountId),
            events.map(({ messageId }) => messageId),
            events.map(({ id }) => id),
            events.map(({ occurredAt }) => occurredAt),
            events.map(({ kind }) => kind),
            events.map(({ body }) => body),
          ]
        : []),
      ...(finished.length > 0 ? [finished.map(({ accountId }) => accountId), finished.map(({ id }) => id)] : []),
    ],
  );
  return new Set(rows.map(({ id }) => id));
}

/** The order in which rows are locked. */
const byMessageId = (a: { readonly messageId: string }, b: { readonly messageId: string }): number =>
  a.messageId < b.messageId ? -1 : a.messageId > b.messageId ? 1 : 0;

/** One of our messages and the network's id for it. */
export interface NamedMessage {
  readonly accountId: string;
  readonly networkMessageId: string;
  readonly messageId: string;
}

/**
 * Finds messages by the network's ids, for reports without ours. Messages of erased contacts are found by a hash of the
 * id. Pipeline statement: each id is looked up in its own tenant.
 */
export function findByNetworkIds(
  accountIds: readonly string[],
  networkMessageIds: readonly string[],
  tx: Tx,
): Promise<NamedMessage[]> {
  return tx.rows<NamedMessage>(
    `SELECT n.account_id, wanted.network_message_id, n.message_id
     FROM unnest($1::uuid[], $2::text[]) AS wanted (account_id, network_message_id)
     JOIN network_messages n ON n.account_id = wanted.account_id
       AND n.network_message_id IN (wanted.network_message_id, erased_network_id(wanted.network_message_id))
     WHERE n.outbound`,
    [accountIds, networkMessageIds],
  );
}
