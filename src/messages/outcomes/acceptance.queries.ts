import { columnsOf } from '../../database/sql/columns.js';
import type { Database } from '../../database/unit-of-work.js';
import { ANNOUNCED, eventRow } from '../../outbox/outbox.js';
import { idRange } from '../../values/record-id.js';
import { SEEN } from '../message-status.js';
import { statusEvent } from '../messages.events.js';
import type { MessageReport, ReportedMessage } from './message-report.js';
import type { FinishedBatch, StoredOutcomes } from './message-report.queries.js';

/** A message that was just stored, and the report that the network accepted it. */
export interface AcceptedMessage {
  readonly message: ReportedMessage;
  readonly report: MessageReport;
}

/** Whether nothing but the acceptance is known about the message: then {@link storeAcceptances} can store it. */
export const isPlainAcceptance = ({ message, report }: AcceptedMessage): boolean =>
  report.kind === 'accepted' && message.seen === 0;

/** Counts accepted messages for their campaigns. */
const COUNTED = `, counted AS (
       INSERT INTO counter_changes (account_id, counter, subject_id, amount)
       SELECT account_id, 'campaign.sent', campaign_id, count(*) FROM stored
       WHERE campaign_id IS NOT NULL
       GROUP BY account_id, campaign_id
     )`;

const FINISHED = `, finished AS (
       DELETE FROM sends_in_flight f USING unnest($10::uuid[], $11::uuid[]) AS done (account_id, id)
       WHERE f.account_id = done.account_id AND f.id = done.id
     )`;

/** What is stored of an acceptance. */
interface GivenAcceptance {
  readonly accountId: string;
  readonly messageId: string;
  readonly networkMessageId: string | undefined;
  readonly reportedAt: Date;
  /** The event's id and body. */
  readonly id: string;
  readonly body: string;
}

const COLUMNS = ['accountId', 'messageId', 'networkMessageId', 'reportedAt', 'id', 'body'] as const;

/**
 * Stores that the network accepted messages about which nothing else is known, with the consequences: what
 * `storeReportOutcomes` does for any report, in the one case that every message goes through. Messages that changed in the
 * meantime are skipped. Pipeline statement: every row names its tenant.
 *
 * @param at the time of the events
 * @param finished batches in flight that are complete with these outcomes
 */
export async function storeAcceptances(
  accepted: readonly AcceptedMessage[],
  at: Date,
  finished: readonly FinishedBatch[],
  db: Database,
): Promise<StoredOutcomes> {
  const ordered = accepted.length < 2 ? accepted : [...accepted].sort(byMessageId);
  const given: GivenAcceptance[] = [];
  const ids: string[] = [];
  let parts = finished.length > 0 ? PART.finished : 0;
  for (const { message, report } of ordered) {
    const { accountId, id, body } = eventRow(statusEvent(message, SENT, null, report.at, at));
    const { messageId, campaignId } = message;
    given.push({ accountId, messageId, networkMessageId: report.networkMessageId, reportedAt: report.at, id, body });
    ids.push(messageId);
    if (campaignId !== null) parts |= PART.counted;
  }
  const rows = await db.rows<{ id: string; announces: boolean }>(textOf(parts), [
    ...columnsOf(given, COLUMNS),
    ...idRange(ids),
    at,
    ...(finished.length > 0 ? columnsOf(finished, ['accountId', 'id']) : []),
  ]);
  const stored = new Set<string>();
  for (const { id } of rows) stored.add(id);
  return { ids: stored, announces: rows[0]?.announces === true };
}

/** The order in which rows are locked. */
const byMessageId = (a: AcceptedMessage, b: AcceptedMessage): number =>
  a.message.messageId < b.message.messageId ? -1 : 1;

/** Parts that no message needs are left out, because each one adds to the cost of every statement. */
const PART = { counted: 1, finished: 2 } as const;

/** By parts. Built once: a text that is put together at each call is also hashed at each call. */
const texts: string[] = [];

function textOf(parts: number): string {
  texts[parts] ??= `WITH stored AS (
       UPDATE messages m
       SET seen = ${SEEN.accepted}, status = 'sent', accepted_at = r.at, sent_at = r.at,
           network_message_id = coalesce(m.network_message_id, r.network_message_id)
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::uuid[], $6::text[])
              AS r (account_id, id, network_message_id, at, event_id, body)
       WHERE m.account_id = r.account_id AND m.id = r.id AND m.seen = 0 AND m.id >= $7 AND m.id <= $8
       RETURNING m.account_id, m.id, m.campaign_id, m.contact_id, r.event_id, r.body,
                 CASE WHEN m.network_message_id = r.network_message_id THEN r.network_message_id END
                   AS network_message_id
     ), named AS (
       INSERT INTO network_messages (account_id, network_message_id, message_id, outbound)
       SELECT account_id, network_message_id, id, true FROM stored WHERE network_message_id IS NOT NULL
       ON CONFLICT ON CONSTRAINT network_messages_pkey DO NOTHING
     ), event AS (
       INSERT INTO events (account_id, id, occurred_at, kind, contact_id, body)
       SELECT account_id, event_id, $9::timestamptz, '${SENT.kind}', contact_id, body FROM stored
       RETURNING account_id, id, kind, body
     ), announced AS (
       ${ANNOUNCED}
       RETURNING true
     )${parts & PART.counted ? COUNTED : ''}${parts & PART.finished ? FINISHED : ''}
     SELECT id, EXISTS (SELECT FROM announced) AS announces FROM stored`;
  return texts[parts];
}

const SENT = { kind: 'message.sent', status: 'sent', previous: 'pending' } as const;
