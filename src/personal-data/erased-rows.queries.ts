import type { Database, Tx } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';

// Removes the data of erased contacts, table by table. Each statement handles a bounded batch and may run twice.

/**
 * Clears the next messages of contacts. The network's message ids contain the phone number, so they are replaced by
 * hashes, which still recognise late reports and repeated messages. A message without a network id gets a placeholder,
 * so that none can be stored later. Their files are discarded.
 *
 * @returns the id of the last message, or null when there were fewer than `limit`
 */
export async function redactMessages(
  accountId: string,
  contactIds: readonly RecordId[],
  after: RecordId,
  limit: number,
  tx: Tx,
): Promise<RecordId | null> {
  const row = await tx.row<{ id: RecordId; looked: number }>(
    `WITH batch AS MATERIALIZED (
       SELECT id, network_message_id FROM messages
       WHERE account_id = $1 AND contact_id = ANY ($2::uuid[]) AND id > $3
       ORDER BY id LIMIT $4 FOR UPDATE
     ), forgotten AS (
       DELETE FROM network_messages n USING batch b
       WHERE n.account_id = $1 AND n.network_message_id = b.network_message_id AND n.message_id = b.id
         AND n.network_message_id NOT LIKE 'erased:%'
       RETURNING n.network_message_id, n.message_id, n.outbound
     ), hashed AS (
       INSERT INTO network_messages (account_id, network_message_id, message_id, outbound)
       SELECT $1, erased_network_id(network_message_id), message_id, outbound FROM forgotten
       ON CONFLICT ON CONSTRAINT network_messages_pkey DO NOTHING
     ), discarded AS (
       UPDATE media_files f
       SET status = 'discarded', network_media_id = '', mime_type = NULL, filename = NULL, sha256 = NULL, reason = NULL
       FROM batch b
       WHERE f.account_id = $1 AND f.message_id = b.id AND f.status <> 'discarded'
     ), emptied AS (
       UPDATE messages m
       SET content = '', payload = NULL, error_message = NULL, reference = NULL,
           network_message_id = coalesce(erased_network_id(m.network_message_id), 'erased:')
       FROM batch b
       WHERE m.account_id = $1 AND m.id = b.id
         AND (m.content <> '' OR m.payload IS NOT NULL OR m.error_message IS NOT NULL OR m.reference IS NOT NULL
              OR coalesce(m.network_message_id, '') NOT LIKE 'erased:%')
     )
     SELECT id, count(*) OVER ()::int AS looked FROM batch ORDER BY id DESC LIMIT 1`,
    [accountId, contactIds, after, limit],
  );
  return row?.looked === limit ? row.id : null;
}

/** Removes the personal template values of up to `limit` campaign recipients. @returns how many */
export function removePersonalValues(
  accountId: string,
  contactIds: readonly RecordId[],
  limit: number,
  tx: Tx,
): Promise<number> {
  return tx.affected(
    `WITH held AS MATERIALIZED (
       SELECT campaign_id, contact_id FROM campaign_recipients
       WHERE account_id = $1 AND contact_id = ANY ($2::uuid[]) AND personal IS NOT NULL
       ORDER BY campaign_id, contact_id LIMIT $3 FOR UPDATE
     )
     UPDATE campaign_recipients r SET personal = NULL, code = NULL FROM held
     WHERE r.account_id = $1 AND r.campaign_id = held.campaign_id AND r.contact_id = held.contact_id`,
    [accountId, contactIds, limit],
  );
}

/** A scanned part of the event log, with the events that may be about erased contacts. */
export interface EventScan {
  readonly lastId: RecordId | null;
  /** Events about the contacts. */
  readonly matching: readonly RecordId[];
  /** Events without a contact id. */
  readonly unattributed: readonly RecordId[];
}

/** Scans the next `limit` events of the log without reading their bodies, which are only needed for the matches. */
export async function scanEvents(
  accountId: string,
  contactIds: readonly RecordId[],
  after: RecordId,
  limit: number,
  db: Database,
): Promise<EventScan> {
  const row = await db.row<EventScan>(
    `WITH scanned AS MATERIALIZED (
       SELECT id, contact_id FROM events WHERE account_id = $1 AND id > $3 ORDER BY id LIMIT $4
     )
     SELECT (SELECT id FROM scanned ORDER BY id DESC LIMIT 1) AS last_id,
            ARRAY(SELECT id FROM scanned WHERE contact_id = ANY ($2::uuid[]) ORDER BY id) AS matching,
            ARRAY(SELECT id FROM scanned WHERE contact_id IS NULL ORDER BY id) AS unattributed`,
    [accountId, contactIds, after, limit],
  );
  return row ?? { lastId: null, matching: [], unattributed: [] };
}

/** The body of an event. */
export interface EventBody {
  readonly id: RecordId;
  readonly body: string;
}

export function lockBodies(accountId: string, ids: readonly RecordId[], tx: Tx): Promise<EventBody[]> {
  return tx.rows<EventBody>(
    `SELECT id, body FROM events
     WHERE account_id = $1 AND id = ANY ($2::uuid[]) AND id >= $3 AND id <= $4
     ORDER BY id FOR NO KEY UPDATE`,
    [accountId, ids, ids[0], ids.at(-1)],
  );
}

/** Replaces event bodies, sorted by id, and drops their copies in the outbox, so that delivery reads the new ones. */
export async function replaceBodies(accountId: string, bodies: readonly EventBody[], tx: Tx): Promise<void> {
  const ids = bodies.map(({ id }) => id);
  await tx.affected(
    `UPDATE events e SET body = r.body
     FROM unnest($2::uuid[], $3::text[]) AS r (id, body)
     WHERE e.account_id = $1 AND e.id = r.id AND e.id >= $4 AND e.id <= $5`,
    [accountId, ids, bodies.map(({ body }) => body), ids[0], ids.at(-1)],
  );
  await tx.affected('UPDATE outbox SET body = NULL WHERE account_id = $1 AND event_id = ANY ($2::uuid[])', [
    accountId,
    ids,
  ]);
}

/** The key of a delivery attempt. */
export interface AttemptKey {
  readonly deliveryId: RecordId;
  /** As formatted by PostgreSQL, because a Date would lose the microseconds. */
  readonly at: string;
}

/**
 * Scans the next `limit` attempts and clears the receivers' responses to events about erased contacts, because many
 * receivers echo what they get. If the event has no contact id, the response is cleared if it contains one of the
 * `tokens`; if the event is no longer in the log, it is always cleared.
 *
 * `OFFSET 0` forces a lookup per attempt: without statistics the planner would read all deliveries instead (3.9 s
 * instead of 30 ms with a million).
 *
 * @returns the last attempt scanned, or null when there was none
 */
export function clearReceiverResponses(
  accountId: string,
  people: { readonly contactIds: readonly RecordId[]; readonly tokens: readonly string[] },
  after: AttemptKey,
  limit: number,
  tx: Tx,
): Promise<AttemptKey | null> {
  return tx.row<AttemptKey>(
    `WITH scanned AS MATERIALIZED (
       SELECT delivery_id, at, response FROM webhook_attempts
       WHERE account_id = $1 AND delivery_id >= $4 AND (delivery_id, at) > ($4, $5::timestamptz)
       ORDER BY delivery_id, at LIMIT $6
     ), suspected AS MATERIALIZED (
       SELECT s.delivery_id, s.at, CASE WHEN e.id IS NOT NULL AND e.contact_id IS NULL THEN s.response END AS searched
       FROM scanned s
       LEFT JOIN LATERAL (
         SELECT e.id, e.contact_id FROM events e
         WHERE e.account_id = $1
           AND e.id = (SELECT d.event_id FROM webhook_deliveries d WHERE d.account_id = $1 AND d.id = s.delivery_id)
         OFFSET 0
       ) e ON true
       WHERE s.response <> ''
         AND (e.id IS NULL OR e.contact_id IS NULL OR e.contact_id = ANY ($2::uuid[]))
     ), matching AS MATERIALIZED (
       SELECT s.delivery_id, s.at FROM suspected s WHERE s.searched IS NULL
       UNION
       SELECT s.delivery_id, s.at
       FROM suspected s CROSS JOIN LATERAL identifiers_in(s.searched) AS found (word)
       JOIN unnest($3::text[]) AS person (token) ON person.token = found.word
     ), emptied AS (
       UPDATE webhook_attempts a SET response = NULL FROM matching t
       WHERE a.account_id = $1 AND a.delivery_id = t.delivery_id AND a.at = t.at
     )
     SELECT delivery_id, at::text AS at FROM scanned ORDER BY scanned.delivery_id DESC, scanned.at DESC LIMIT 1`,
    [accountId, people.contactIds, people.tokens, after.deliveryId, after.at, limit],
  );
}

/** Which callbacks are scanned: those of the account, or those without an account. */
export type CallbackOwner = 'account' | 'nobody';

const LAST = 'SELECT id FROM scanned ORDER BY id DESC LIMIT 1';

/**
 * The rows of `scanned` whose JSON contains one of the tokens ($1). A join, so that PostgreSQL hashes the tokens once: a
 * run may look for 50,000, and a comparison with each of them took 20 s for 500 callbacks.
 */
const NAMING = `
  SELECT DISTINCT r.id FROM scanned r CROSS JOIN LATERAL identifiers_in(r.body::text) AS found (word)
  JOIN unnest($1::text[]) AS person (token) ON person.token = found.word`;

/**
 * Scans the next `limit` unhandled callbacks and clears those that contain one of the `tokens`. Callbacks without an
 * account are kept for operators only, so naming the person is reason enough to clear them.
 *
 * @returns the last callback scanned, or null when there was none
 */
export async function clearCallbacks(
  accountId: string,
  owner: CallbackOwner,
  tokens: readonly string[],
  after: RecordId,
  limit: number,
  tx: Tx,
): Promise<RecordId | null> {
  const row =
    owner === 'account'
      ? await tx.row<{ id: RecordId }>(
          `WITH scanned AS MATERIALIZED (
             SELECT id, body FROM unhandled_callbacks WHERE account_id = $4 AND id > $2 ORDER BY id LIMIT $3
           ), emptied AS (
             UPDATE unhandled_callbacks u SET body = 'null' FROM (${NAMING}) s
             WHERE u.account_id = $4 AND u.id = s.id
           )
           ${LAST}`,
          [tokens, after, limit, accountId],
        )
      : await tx.row<{ id: RecordId }>(
          `WITH scanned AS MATERIALIZED (
             SELECT id, body FROM unhandled_callbacks WHERE account_id IS NULL AND id > $2 ORDER BY id LIMIT $3
           ), emptied AS (
             UPDATE unhandled_callbacks u SET body = 'null' FROM (${NAMING}) s
             WHERE u.account_id IS NULL AND u.id = s.id
           )
           ${LAST}`,
          [tokens, after, limit],
        );
  return row?.id ?? null;
}

/** Drops parked reports that contain one of the `tokens`. */
export async function dropReportsAbout(accountId: string, tokens: readonly string[], tx: Tx): Promise<void> {
  await tx.affected(
    `WITH scanned AS MATERIALIZED (SELECT id, report AS body FROM parked_reports WHERE account_id = $2)
     DELETE FROM parked_reports p USING (${NAMING}) s
     WHERE p.account_id = $2 AND p.id = s.id`,
    [tokens, accountId],
  );
}
