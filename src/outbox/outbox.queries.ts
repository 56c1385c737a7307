import type { Tx } from '../database/unit-of-work.js';
import type { LoggedEvent } from './logged-event.entity.js';

/**
 * What is left of `DELETE FROM …` to take up to `$1` events out of the outbox, oldest first, skipping those that another relay
 * holds. Part of a pipeline statement that has a relation `unsynced`: it serves all accounts. Rows, not a cursor: an event that
 * commits late has an id below those already taken.
 */
export const OUTBOX_BATCH = `outbox USING unsynced
       WHERE event_id = ANY (ARRAY(SELECT event_id FROM outbox ORDER BY event_id LIMIT $1 FOR UPDATE SKIP LOCKED))
       RETURNING account_id, event_id, kind, body`;

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
