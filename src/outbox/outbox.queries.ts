import type { Tx } from '../database/unit-of-work.js';
import { redactedText } from '../values/redaction.js';
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
 * The bodies of events, by event id; those that the log no longer keeps are absent. What is still in the log about somebody who
 * was erased is left out already. A statement of its own: with the range of its ids it opens the partitions of their days alone.
 */
export async function findBodies(accountId: string, eventIds: readonly string[], tx: Tx): Promise<Map<string, string>> {
  const ordered = eventIds.toSorted();
  const events = await tx.rows<Pick<LoggedEvent, 'id' | 'body'> & { readonly isErased: boolean }>(
    `SELECT e.id, e.body, x.contact_id IS NOT NULL AS is_erased
     FROM events e LEFT JOIN erased_contacts x ON x.account_id = e.account_id AND x.contact_id = e.contact_id
     WHERE e.account_id = $1 AND e.id = ANY ($2::uuid[]) AND e.id >= $3 AND e.id <= $4`,
    [accountId, ordered, ordered[0], ordered.at(-1)],
  );
  return new Map(events.map(({ id, body, isErased }) => [id, isErased ? redactedText(body) : body]));
}
