import { ANSWERED_AFTER_ALL, WAITING_AGAIN } from '../../conversations/conversation-key.queries.js';
import { columnsOf } from '../../database/sql/columns.js';
import type { Database, Tx } from '../../database/unit-of-work.js';
import { ANNOUNCED, type EventRow, eventRow } from '../../outbox/outbox.js';
import { fullName } from '../../people/contact-name.js';
import type { ContactIdentity } from '../../people/contact-ref.js';
import { idRange } from '../../values/record-id.js';
import type { Message } from '../message.entity.js';
import { statusOf } from '../message-status.js';
import type { MessageReport, ReportedMessage, ReportOutcome } from './message-report.js';

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
  | 'reference'
> & {
  readonly errorMessage: string | null;
  readonly campaignName: string | null;
  readonly phoneNumber: string | null;
  readonly waId: string | null;
  readonly userId: string | null;
  readonly firstName: string;
  readonly lastName: string | null;
  readonly mergedInto: string | null;
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
  db: Database,
): Promise<ReportedMessage[]> {
  const ids = named.map(({ messageId }) => messageId);
  const rows = await db.rows<ReportedRow>(
    `${lock ? `WITH m AS MATERIALIZED (SELECT m.* ${NAMED_MESSAGES} ORDER BY m.id FOR UPDATE OF m)` : ''}
     SELECT m.account_id, m.id, m.seen, m.network_message_id, m.campaign_id, g.name AS campaign_name, m.contact_id,
            m.business_phone_id, c.phone_number, c.wa_id, c.user_id, c.first_name, c.last_name, c.merged_into, m.error_code,
            m.error_message, m.pricing, m.reference
     FROM ${lock ? 'm' : `(SELECT m.* ${NAMED_MESSAGES}) m`}
     JOIN contacts c ON c.account_id = m.account_id AND c.id = m.contact_id
     LEFT JOIN campaigns g ON g.account_id = m.account_id AND g.id = m.campaign_id`,
    [named.map(({ accountId }) => accountId), ids, ...idRange(ids)],
  );
  const survivors = await readSurvivors(rows, db);
  // Written out because this runs for every report, and rest destructuring would take a tenth of the time.
  return rows.map((row) => ({
    accountId: row.accountId,
    messageId: row.id,
    contactId: row.contactId,
    businessPhoneId: row.businessPhoneId,
    reference: row.reference,
    contact: contactOf(survivors?.get(row.id) ?? row),
    waId: (survivors?.get(row.id) ?? row).waId,
    contactName: fullName(survivors?.get(row.id) ?? row),
    campaignId: row.campaignId,
    campaignName: row.campaignName,
    seen: row.seen,
    networkMessageId: row.networkMessageId,
    pricing: row.pricing,
    error: row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage ?? '' },
  }));
}

/** What a report tells of a contact. */
type ReportedContact = Pick<ReportedRow, 'phoneNumber' | 'waId' | 'userId' | 'firstName' | 'lastName'>;

const contactOf = ({ phoneNumber, userId }: ReportedContact): ContactIdentity => ({ phoneNumber, userId });

/**
 * Reads the contacts that those of some messages were merged into. Messages that a merge has not moved yet are rare.
 *
 * @returns the contacts by message id; null when there are none
 */
async function readSurvivors(
  rows: readonly ReportedRow[],
  db: Database,
): Promise<ReadonlyMap<string, ReportedContact> | null> {
  const left = rows.filter(({ mergedInto }) => mergedInto !== null);
  if (left.length === 0) return null;
  const found = await db.rows<ReportedContact & { id: string }>(
    `SELECT l.id, c.phone_number, c.wa_id, c.user_id, c.first_name, c.last_name
     FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS l (account_id, id, contact_id)
     JOIN contacts c ON c.account_id = l.account_id AND c.id = l.contact_id`,
    [left.map(({ accountId }) => accountId), left.map(({ id }) => id), left.map(({ mergedInto }) => mergedInto)],
  );
  return new Map(found.map((contact) => [contact.id, contact]));
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
                                  ('campaign.read', s.read), ('campaign.failed', s.failed),
                                  ('campaign.held', s.held)) AS c (counter, amount)
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
       RETURNING true
     )`;

/** @param first the number of its first parameter, of two */
const FINISHED = (first: number): string => `, finished AS (
       DELETE FROM sends_in_flight f USING unnest($${first}::uuid[], $${first + 1}::uuid[]) AS done (account_id, id)
       WHERE f.account_id = done.account_id AND f.id = done.id
     )`;

/** What a statement has stored of the outcomes that it was given. */
export interface StoredOutcomes {
  /** The messages that were stored. */
  readonly ids: ReadonlySet<string>;
  /** Whether an endpoint waits for one of the events; otherwise the outbox has nothing new. */
  readonly announces: boolean;
}

/** Parts that no message needs are left out, because each one adds to the cost of every statement. */
const PART = { named: 1, counted: 2, logged: 4, finished: 8, failed: 16, arrived: 32 } as const;

/** By parts. Built once: a text that is put together at each call is also hashed at each call. */
const texts: string[] = [];

function textOf(parts: number): string {
  texts[parts] ??= `WITH stored AS (
       UPDATE messages m
       SET seen = r.seen, status = r.status,
           network_message_id = coalesce(m.network_message_id, r.network_message_id), error_code = r.error_code,
           error_message = r.error_message, pricing = coalesce(r.pricing, m.pricing),
           accepted_at = coalesce(r.accepted_at, m.accepted_at), sent_at = coalesce(r.sent_at, m.sent_at),
           delivered_at = coalesce(r.delivered_at, m.delivered_at), read_at = coalesce(r.read_at, m.read_at),
           clicked_at = coalesce(r.clicked_at, m.clicked_at), failed_at = coalesce(r.failed_at, m.failed_at)
       FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[], $5::text[], $6::text[], $7::int[], $8::text[],
                   $9::timestamptz[], $10::timestamptz[], $11::timestamptz[], $12::timestamptz[], $13::timestamptz[],
                   $14::timestamptz[], $15::int[], $16::int[], $17::int[], $18::int[], $19::int[], $20::jsonb[])
              AS r (account_id, id, seen_before, seen, status, network_message_id, error_code, error_message, accepted_at,
                    sent_at, delivered_at, read_at, clicked_at, failed_at, sent, delivered, read, failed, held, pricing)
       WHERE m.account_id = r.account_id AND m.id = r.id AND m.seen = r.seen_before AND m.id >= $21 AND m.id <= $22
       RETURNING m.account_id, m.id, m.campaign_id, m.contact_id, m.business_phone_id, m.status,
                 CASE WHEN m.network_message_id = r.network_message_id THEN r.network_message_id END
                   AS network_message_id, r.sent, r.delivered, r.read, r.failed, r.held
     )${parts & PART.named ? NAMED : ''}${parts & PART.counted ? COUNTED : ''}${parts & PART.failed ? WAITING_AGAIN : ''}${parts & PART.arrived ? ANSWERED_AFTER_ALL : ''}${parts & PART.logged ? LOGGED(23) : ''}${
       parts & PART.finished ? FINISHED(parts & PART.logged ? 29 : 23) : ''
     }
     SELECT id, ${parts & PART.logged ? 'EXISTS (SELECT FROM announced)' : 'false'} AS announces FROM stored`;
  return texts[parts];
}

/**
 * Stores the new state of messages and all consequences in one statement: the network's ids, campaign counters, who waits
 * again or no longer, events, and the end of batches in flight. Messages that changed since they were read are skipped, with their consequences.
 * Pipeline statement: every row names its tenant.
 *
 * @param finished batches that are complete with these outcomes
 */
export async function storeReportOutcomes(
  outcomes: readonly ReportOutcome[],
  db: Database,
  finished: readonly FinishedBatch[] = [],
): Promise<StoredOutcomes> {
  const ordered = outcomes.length < 2 ? outcomes : [...outcomes].sort(byMessageId);
  const stored: ReturnType<typeof storedRow>[] = [];
  const ids: string[] = [];
  const events: (EventRow & { readonly messageId: string })[] = [];
  let parts = finished.length > 0 ? PART.finished : 0;
  for (const outcome of ordered) {
    const { messageId, campaignId } = outcome.message;
    const row = storedRow(outcome);
    stored.push(row);
    ids.push(messageId);
    for (const event of outcome.events) events.push({ ...eventRow(event), messageId });
    if (row.networkMessageId !== null) parts |= PART.named;
    if (campaignId !== null) parts |= PART.counted;
    else if (outcome.status === 'failed') parts |= PART.failed;
    else if (statusOf(outcome.before.seen) === 'failed') parts |= PART.arrived;
  }
  if (events.length > 0) parts |= PART.logged;
  const rows = await db.rows<{ id: string; announces: boolean }>(textOf(parts), [
    ...columnsOf(stored, STORED),
    ...idRange(ids),
    ...(events.length > 0 ? columnsOf(events, LOGGED_EVENT) : []),
    ...(finished.length > 0 ? columnsOf(finished, ['accountId', 'id']) : []),
  ]);
  const changed = new Set<string>();
  for (const { id } of rows) changed.add(id);
  return { ids: changed, announces: rows[0]?.announces === true };
}

/** The order in which rows are locked. */
const byMessageId = (a: ReportOutcome, b: ReportOutcome): number =>
  a.message.messageId < b.message.messageId ? -1 : 1;

/** What is stored of an outcome. The network's id only if it is new: the row keeps the first one. */
function storedRow({ before, message, status, reached, delta, pricing }: ReportOutcome) {
  return {
    accountId: message.accountId,
    id: message.messageId,
    seenBefore: before.seen,
    seen: message.seen,
    status,
    networkMessageId: before.networkMessageId === null ? message.networkMessageId : null,
    errorCode: message.error?.code ?? null,
    errorMessage: message.error?.message ?? null,
    acceptedAt: reached.accepted,
    sentAt: reached.sent,
    deliveredAt: reached.delivered,
    readAt: reached.read,
    clickedAt: reached.clicked,
    failedAt: reached.failed,
    sent: delta?.sent || null,
    delivered: delta?.delivered || null,
    read: delta?.read || null,
    failed: delta?.failed || null,
    held: delta?.held || null,
    pricing: pricing === null ? null : JSON.stringify(pricing),
  };
}

/** The order of the statement's parameters. */
const STORED: readonly (keyof ReturnType<typeof storedRow>)[] = [
  'accountId',
  'id',
  'seenBefore',
  'seen',
  'status',
  'networkMessageId',
  'errorCode',
  'errorMessage',
  'acceptedAt',
  'sentAt',
  'deliveredAt',
  'readAt',
  'clickedAt',
  'failedAt',
  'sent',
  'delivered',
  'read',
  'failed',
  'held',
  'pricing',
];
const LOGGED_EVENT = ['accountId', 'messageId', 'id', 'occurredAt', 'kind', 'body'] as const;

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
