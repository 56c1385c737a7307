import type { Tx } from '../database/unit-of-work.js';
import type { OutboxEvent } from './event-fanout.js';
import type { LoggedEvent } from './logged-event.entity.js';

/** Whether the outbox has anything: far cheaper to ask than to take nothing. A pipeline statement, all accounts. */
export async function hasEvents(tx: Tx): Promise<boolean> {
  const row = await tx.row<{ found: boolean }>('SELECT EXISTS (SELECT FROM outbox) AS found');
  return row?.found ?? false;
}

/**
 * Takes up to `limit` events out of the outbox, oldest first, skipping those that another relay holds. A pipeline
 * statement: it serves all accounts. Rows, not a cursor: an event that commits late has an id below those already taken.
 */
export function takeEvents(limit: number, tx: Tx): Promise<OutboxEvent[]> {
  return tx.rows<OutboxEvent>(
    `DELETE FROM outbox
     WHERE event_id = ANY (ARRAY(SELECT event_id FROM outbox ORDER BY event_id LIMIT $1 FOR UPDATE SKIP LOCKED))
     RETURNING account_id, event_id, kind`,
    [limit],
  );
}

/**
 * The bodies of events, by event id; those that the log no longer keeps are absent. A statement of its own: with the
 * range of its ids it opens the partitions of their days alone.
 */
export async function findBodies(accountId: string, eventIds: readonly string[], tx: Tx): Promise<Map<string, string>> {
  const ordered = eventIds.toSorted();
  const events = await tx.rows<Pick<LoggedEvent, 'id' | 'body'>>(
    'SELECT id, body FROM events WHERE account_id = $1 AND id = ANY ($2::uuid[]) AND id >= $3 AND id <= $4',
    [accountId, ordered, ordered[0], ordered.at(-1)],
  );
  return new Map(events.map(({ id, body }) => [id, body]));
}
