import { isHeld } from '../contacts/erasure/contact-erasure.queries.js';
import type { Database } from '../database/unit-of-work.js';
import { CODE_MASK } from '../templates/rendering/one-time-code.js';
import type { RecordId } from '../values/record-id.js';

// Rows are exported with all their columns, so that a new column cannot be forgotten.

/** Rows of one table as JSON texts, and the id to continue after; null when there are no more. */
export interface ExportedRows {
  readonly rows: readonly string[];
  readonly next: RecordId | null;
}

interface Row {
  readonly json: string;
}

const SMALL_TABLE_QUERIES = {
  // Without former identities that somebody has now.
  contacts: `SELECT (to_jsonb(c) || jsonb_build_object('former_identities', ARRAY(
               SELECT f.identity FROM unnest(c.former_identities) AS f (identity) WHERE NOT ${isHeld('f.identity')})))::text AS json
             FROM contacts c
             WHERE c.account_id = $1 AND c.id = ANY ($2::uuid[]) ORDER BY c.merged_into IS NOT NULL, c.id`,
  consent: `SELECT row_to_json(d)::text AS json FROM consent_decisions d
            WHERE d.account_id = $1 AND d.contact_id = ANY ($2::uuid[]) ORDER BY d.number`,
  groups: `SELECT row_to_json(x)::text AS json
           FROM (SELECT g.id, g.name, m.added_at FROM group_members m
                 JOIN contact_groups g ON g.account_id = m.account_id AND g.id = m.group_id
                 WHERE m.account_id = $1 AND m.contact_id = ANY ($2::uuid[]) AND g.deleted_at IS NULL
                 ORDER BY m.added_at, g.id) x`,
  conversations: `SELECT row_to_json(t)::text AS json FROM conversations t
                  WHERE t.account_id = $1 AND t.contact_id = ANY ($2::uuid[])
                  ORDER BY t.contact_id, t.business_phone_id`,
  assignments: `SELECT row_to_json(h)::text AS json FROM conversation_assignments h
                WHERE h.account_id = $1 AND h.contact_id = ANY ($2::uuid[]) ORDER BY h.held_from`,
  entries: `SELECT row_to_json(e)::text AS json FROM conversation_entries e
            WHERE e.account_id = $1 AND e.contact_id = ANY ($2::uuid[]) ORDER BY e.id`,
} as const;

type SmallTable = keyof typeof SMALL_TABLE_QUERIES;
/** Tables with few rows per person, each read by one statement. */
export const SMALL_TABLES: readonly SmallTable[] = ['consent', 'groups', 'conversations', 'assignments', 'entries'];

export async function exportSmall(
  accountId: string,
  table: SmallTable,
  contactIds: readonly RecordId[],
  db: Database,
): Promise<string[]> {
  const rows = await db.rows<Row>(SMALL_TABLE_QUERIES[table], [accountId, contactIds]);
  return rows.map(({ json }) => json);
}

/** Reads the next messages of contacts, by id. */
export async function exportMessages(
  accountId: string,
  contactIds: readonly RecordId[],
  after: RecordId,
  limit: number,
  db: Database,
): Promise<ExportedRows> {
  const rows = await db.rows<Row & { id: RecordId }>(
    `SELECT x.id, row_to_json(x)::text AS json
     FROM (SELECT m.*, CASE WHEN f.message_id IS NOT NULL THEN row_to_json(f) END AS file
           FROM messages m
           LEFT JOIN media_files f ON f.account_id = $1 AND f.message_id = m.id AND f.status <> 'discarded'
           WHERE m.account_id = $1 AND m.contact_id = ANY ($2::uuid[]) AND m.id > $3
           ORDER BY m.id LIMIT $4) x
     ORDER BY x.id`,
    [accountId, contactIds, after, limit],
  );
  return { rows: rows.map(({ json }) => json), next: rows.at(-1)?.id ?? null };
}

/**
 * Reads the recipients of the next campaigns, with a mask in place of one-time codes. Recipients have no index by contact,
 * so each campaign is probed.
 */
export async function exportRecipients(
  accountId: string,
  contactIds: readonly RecordId[],
  after: RecordId,
  limit: number,
  db: Database,
): Promise<ExportedRows> {
  const row = await db.row<{ rows: string[]; next: RecordId | null }>(
    `WITH campaign AS MATERIALIZED (
       SELECT id, name FROM campaigns WHERE account_id = $1 AND id > $3 ORDER BY id LIMIT $4
     )
     SELECT ARRAY(SELECT (to_jsonb(x) || jsonb_build_object('code', CASE WHEN x.code IS NOT NULL THEN $5::text END))::text
                  FROM (SELECT g.name AS campaign_name, r.*
                        FROM campaign g CROSS JOIN LATERAL (
                          SELECT * FROM campaign_recipients r
                          WHERE r.account_id = $1 AND r.campaign_id = g.id AND r.contact_id = ANY ($2::uuid[])
                        ) r
                        ORDER BY g.id) x) AS rows,
            (SELECT id FROM campaign ORDER BY id DESC LIMIT 1) AS next`,
    [accountId, contactIds, after, limit, CODE_MASK],
  );
  return row ?? { rows: [], next: null };
}

/** An event as a JSON text, and its body if the event belongs to no contact, so that it may be about several. */
export interface ExportedEvent {
  readonly json: string;
  readonly unattributed: string | null;
}

/**
 * Reads events by sorted ids. An event without a contact id is included only if its body contains one of the `tokens`;
 * its `json` is without the body.
 */
export function exportEvents(
  accountId: string,
  ids: readonly RecordId[],
  tokens: readonly string[],
  db: Database,
): Promise<ExportedEvent[]> {
  return db.rows<ExportedEvent>(
    `SELECT CASE WHEN e.contact_id IS NULL THEN (to_jsonb(e) - 'body')::text ELSE row_to_json(e)::text END AS json,
            CASE WHEN e.contact_id IS NULL THEN e.body END AS unattributed
     FROM events e
     WHERE e.account_id = $1 AND e.id = ANY ($2::uuid[]) AND e.id >= $3 AND e.id <= $4
       AND (e.contact_id IS NOT NULL OR names_person(e.body, $5::text[]))
     ORDER BY e.id`,
    [accountId, ids, ids[0], ids.at(-1), tokens],
  );
}

/**
 * Scans the next `limit` deliveries of an account for events about the contacts; returns them with their attempts.
 * `OFFSET 0` forces a lookup per delivery, as in `clearReceiverResponses`.
 */
export async function exportDeliveries(
  accountId: string,
  contactIds: readonly RecordId[],
  after: RecordId,
  limit: number,
  db: Database,
): Promise<ExportedRows> {
  const row = await db.row<{ rows: string[]; next: RecordId | null }>(
    `WITH scanned AS MATERIALIZED (
       SELECT d.* FROM webhook_deliveries d WHERE d.account_id = $1 AND d.id > $3 ORDER BY d.id LIMIT $4
     )
     SELECT ARRAY(SELECT row_to_json(x)::text
                  FROM (SELECT s.*, ARRAY(SELECT row_to_json(a) FROM webhook_attempts a
                                          WHERE a.account_id = $1 AND a.delivery_id = s.id ORDER BY a.at) AS attempts
                        FROM scanned s CROSS JOIN LATERAL (
                          SELECT e.contact_id FROM events e WHERE e.account_id = $1 AND e.id = s.event_id OFFSET 0
                        ) e
                        WHERE e.contact_id = ANY ($2::uuid[])
                        ORDER BY s.id) x) AS rows,
            (SELECT id FROM scanned ORDER BY id DESC LIMIT 1) AS next`,
    [accountId, contactIds, after, limit],
  );
  return row ?? { rows: [], next: null };
}

/** A stored callback, which may be about several people. */
export interface ExportedCallback {
  readonly field: string | null;
  readonly receivedAt: Date;
  /** JSON text. */
  readonly body: string;
}

/**
 * Reads the next unhandled callbacks of an account, by id.
 *
 * @returns those that contain one of the `tokens`, and the last id read, or null when there are no more
 */
export async function exportCallbacks(
  accountId: string,
  tokens: readonly string[],
  after: RecordId,
  limit: number,
  db: Database,
): Promise<{ callbacks: ExportedCallback[]; next: RecordId | null }> {
  const rows = await db.rows<Omit<ExportedCallback, 'body'> & { id: RecordId; body: string | null }>(
    `SELECT u.id, u.field, u.received_at, CASE WHEN names_person(u.body::text, $2::text[]) THEN u.body::text END AS body
     FROM unhandled_callbacks u WHERE u.account_id = $1 AND u.id > $3 ORDER BY u.id LIMIT $4`,
    [accountId, tokens, after, limit],
  );
  const callbacks = rows.flatMap(({ body, ...row }) => (body === null ? [] : [{ ...row, body }]));
  return { callbacks, next: rows.at(-1)?.id ?? null };
}

/** Reads parked reports that contain one of the `tokens`. */
export function exportReports(accountId: string, tokens: readonly string[], db: Database): Promise<ExportedCallback[]> {
  return db.rows<ExportedCallback>(
    `SELECT 'messages' AS field, p.received_at, p.report::text AS body FROM parked_reports p
     WHERE p.account_id = $1 AND names_person(p.report::text, $2::text[])`,
    [accountId, tokens],
  );
}
