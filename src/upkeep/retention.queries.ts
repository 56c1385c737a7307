import type { Database } from '../database/unit-of-work.js';
import { NIL_ID, type RecordId } from '../values/record-id.js';
import type { KeptCampaign } from './retention-rules.js';

/** A range of ids; `until` is exclusive. */
export type IdRange = readonly [from: RecordId, until: RecordId];

/**
 * Campaigns of all accounts whose recipients are still needed, oldest first: those that are unfinished or ended within
 * `days`, whatever their age.
 */
export function findKeptCampaigns(days: number, db: Database): Promise<KeptCampaign[]> {
  return db.rows<KeptCampaign>(
    `SELECT id, status = 'running' AS is_running FROM campaigns
     WHERE status IN ('draft', 'scheduled', 'running')
        OR completed_at > now() - $1 * interval '1 day'
     ORDER BY id`,
    [days],
  );
}

/**
 * Deletes finished campaigns of all accounts in an id range. Counter changes bring their counters to zero, so that
 * nothing here waits for the folding.
 *
 * @returns how many were deleted, at most `limit`
 */
export function deleteFinishedCampaigns([from, until]: IdRange, limit: number, db: Database): Promise<number> {
  return db.affected(
    `WITH deleted AS (
       DELETE FROM campaigns WHERE (account_id, id) IN (
         SELECT account_id, id FROM campaigns
         WHERE id >= $1 AND id < $2 AND status IN ('completed', 'cancelled', 'failed')
         ORDER BY account_id, id LIMIT $3 FOR UPDATE SKIP LOCKED
       )
       RETURNING account_id, id
     ), uncounted AS (
       INSERT INTO counter_changes (account_id, counter, subject_id, amount)
       SELECT a.account_id, a.counter, a.subject_id, -sum(a.amount)
       FROM deleted d
       CROSS JOIN unnest($4::text[]) AS named (counter)
       JOIN counter_amounts a ON a.account_id = d.account_id AND a.counter = named.counter AND a.subject_id = d.id
       GROUP BY a.account_id, a.counter, a.subject_id HAVING sum(a.amount) <> 0
       ORDER BY a.account_id, a.counter, a.subject_id
     )
     SELECT account_id, id FROM deleted`,
    [from, until, limit, CAMPAIGN_COUNTERS],
  );
}

const CAMPAIGN_COUNTERS = ['sent', 'delivered', 'read', 'clicked', 'failed', 'replied'].map(
  (name) => `campaign.${name}`,
);

/** Identifies one message of any account. */
export interface MessageKey {
  readonly accountId: RecordId;
  readonly id: RecordId;
}

/**
 * Deletes the traces of expired messages in other tables, for all accounts: their network ids, and the previews of
 * conversations without newer messages. Covers the `limit` messages after `last`, in key order. Locked conversations
 * are skipped: they are about to get a new preview.
 *
 * @param silentSince the end of the range
 * @returns the last message covered, or null when there are no more
 */
export function deleteMessageTraces(
  [from, until]: IdRange,
  silentSince: Date,
  last: MessageKey | null,
  limit: number,
  db: Database,
): Promise<MessageKey | null> {
  return db.row<MessageKey>(
    `WITH expired AS MATERIALIZED (
       SELECT account_id, id, network_message_id, contact_id, business_phone_id FROM messages
       WHERE id >= $1 AND id < $2 AND (account_id, id) > ($3, $4)
       ORDER BY account_id, id LIMIT $5
     ), forgotten AS (
       DELETE FROM network_messages n USING expired e
       WHERE n.account_id = e.account_id AND n.network_message_id = e.network_message_id AND n.message_id = e.id
     ), silent AS MATERIALIZED (
       SELECT t.account_id, t.contact_id, t.business_phone_id
       FROM (SELECT DISTINCT account_id, contact_id, business_phone_id FROM expired) e
       JOIN conversations t ON t.account_id = e.account_id AND t.contact_id = e.contact_id
            AND t.business_phone_id = e.business_phone_id
       WHERE t.last_message_at < $6 AND t.last_message_preview IS NOT NULL
       FOR NO KEY UPDATE OF t SKIP LOCKED
     ), blanked AS (
       UPDATE conversations t SET last_message_preview = NULL FROM silent s
       WHERE t.account_id = s.account_id AND t.contact_id = s.contact_id AND t.business_phone_id = s.business_phone_id
     )
     SELECT account_id, id FROM expired ORDER BY account_id DESC, id DESC LIMIT 1`,
    [from, until, last?.accountId ?? NIL_ID, last?.id ?? NIL_ID, limit, silentSince],
  );
}

/** Deletes up to `limit` unhandled callbacks older than an id, of all accounts, and returns how many. */
export function deleteUnhandledCallbacks(before: RecordId, limit: number, db: Database): Promise<number> {
  return db.affected(
    `DELETE FROM unhandled_callbacks WHERE id IN (
       SELECT id FROM unhandled_callbacks WHERE id < $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
     )`,
    [before, limit],
  );
}

/** Deletes up to `limit` rate-limit windows unused for `unusedMs` and returns how many. */
export function deleteUnusedWindows(unusedMs: number, limit: number, db: Database): Promise<number> {
  return db.affected(
    `DELETE FROM rate_limit_windows WHERE subject IN (
       SELECT subject FROM rate_limit_windows
       WHERE coalesce(times[cardinality(times)], 0) < extract(epoch FROM now()) * 1000 - $1
       LIMIT $2 FOR UPDATE SKIP LOCKED
     )`,
    [unusedMs, limit],
  );
}

/** The last partition of each table. Partition names sort by time. */
export async function findLastPartitions(db: Database): Promise<ReadonlyMap<string, string>> {
  const rows = await db.rows<{ owner: string; name: string }>(
    `SELECT p.relname AS owner, max(c.relname) AS name
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
     WHERE p.relnamespace = current_schema()::regnamespace AND p.relkind = 'p' AND NOT i.inhdetachpending
     GROUP BY p.relname`,
  );
  return new Map(rows.map(({ owner, name }) => [owner, name]));
}
