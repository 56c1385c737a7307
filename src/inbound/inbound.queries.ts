import type { Tx } from '../database/unit-of-work.js';
import { newRecordId } from '../values/record-id.js';

/** A callback, or a part of one, that Parley has no use for. */
export interface UnhandledCallback {
  readonly accountId: string | null;
  readonly field: string | null;
  readonly reason: string;
  readonly body: unknown;
}

/**
 * Keeps what could not be used, so that nothing the network said is lost (D70). The columns are `json`, not `jsonb`:
 * they take escapes that PostgreSQL could not store as text.
 */
export async function recordUnhandled(callbacks: readonly UnhandledCallback[], tx: Tx): Promise<void> {
  if (callbacks.length === 0) return;
  await tx.affected(
    `INSERT INTO unhandled_callbacks (id, account_id, field, reason, body)
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::json[])`,
    [
      callbacks.map(() => newRecordId()),
      callbacks.map(({ accountId }) => accountId),
      callbacks.map(({ field }) => field),
      callbacks.map(({ reason }) => reason),
      callbacks.map(({ body }) => JSON.stringify(isTooDeep(body) ? TOO_DEEP : (body ?? null))),
    ],
  );
}

/** Objects and arrays inside one another that PostgreSQL's parser takes without complaint. */
const DEEPEST = 500;
const TOO_DEEP = `left out: nested more than ${DEEPEST} levels deep`;

/** Looks level by level, so that nesting cannot exhaust the stack. */
function isTooDeep(body: unknown): boolean {
  let level: unknown[] = [body];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) return true;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return false;
}

/** A status report that matches no message yet. */
export interface ParkedReport {
  readonly id: string;
  readonly accountId: string;
  readonly networkMessageId: string;
  /** As the network sent it, with its phone. */
  readonly report: unknown;
}

/** Parks reports until a message with their network id appears. */
export async function parkReports(reports: readonly ParkedReport[], tx: Tx): Promise<void> {
  if (reports.length === 0) return;
  await tx.affected(
    `INSERT INTO parked_reports (account_id, id, network_message_id, report)
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::json[])`,
    [
      reports.map(({ accountId }) => accountId),
      reports.map(({ id }) => id),
      reports.map(({ networkMessageId }) => networkMessageId),
      reports.map(({ report }) => JSON.stringify(report)),
    ],
  );
}

/** A parked report; null once 7 days have passed. */
export interface RipeReport {
  readonly account_id: string;
  readonly id: string;
  readonly report: unknown;
}

/**
 * Parked reports whose message has become known, and those of 7 days ago. Pipeline statement: a report meets messages of
 * its own tenant alone.
 */
export function findRipeReports(most: number, tx: Tx): Promise<RipeReport[]> {
  return tx.rows<RipeReport>(
    `SELECT p.account_id, p.id, CASE WHEN p.received_at >= now() - interval '7 days' THEN p.report END AS report
     FROM parked_reports p
     WHERE p.received_at < now() - interval '7 days'
        OR EXISTS (SELECT 1 FROM messages m
                   WHERE m.account_id = p.account_id AND m.network_message_id = p.network_message_id
                     AND m.direction = 'out')
     LIMIT $1`,
    [most],
  );
}

/** Drops parked reports that are done with. Pipeline statement: each names its tenant. */
export async function dropParkedReports(done: readonly RipeReport[], tx: Tx): Promise<void> {
  await tx.affected(
    `DELETE FROM parked_reports p USING unnest($1::uuid[], $2::uuid[]) AS done (account_id, id)
     WHERE p.account_id = done.account_id AND p.id = done.id`,
    [done.map(({ account_id }) => account_id), done.map(({ id }) => id)],
  );
}
