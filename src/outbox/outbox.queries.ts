import type { Database } from '../database/unit-of-work.js';
import { redactedText } from '../values/redaction.js';
import type { LoggedEvent } from './logged-event.entity.js';

/**
 * The rest of `DELETE FROM …`, which takes up to `$1` events from the outbox, oldest first, skipping those that another
 * relay has locked. Part of a pipeline statement with a relation `unsynced`; serves all accounts. Locks rows instead of
 * keeping a cursor, because an event that commits late has a lower id than those already taken.
 */
export const OUTBOX_BATCH = `outbox USING unsynced
       WHERE event_id = ANY (ARRAY(SELECT event_id FROM outbox ORDER BY event_id LIMIT $1 FOR UPDATE SKIP LOCKED))
       RETURNING account_id, event_id, kind, body`;

/** A look: whether any event waits. */
export const WAITING_EVENT = 'SELECT true FROM outbox ORDER BY event_id LIMIT 1';

/**
 * The bodies of events, by event id, without expired events. Events about an erased contact are returned redacted. A
 * separate statement, so that its id range limits it to the partitions of those days.
 */
export async function findBodies(
  accountId: string,
  eventIds: readonly string[],
  db: Database,
): Promise<Map<string, string>> {
  const ordered = eventIds.toSorted();
  const events = await db.rows<Pick<LoggedEvent, 'id' | 'body'> & { readonly isErased: boolean }>(
    `SELECT e.id, e.body, x.contact_id IS NOT NULL AS is_erased
     FROM events e LEFT JOIN erased_contacts x ON x.account_id = e.account_id AND x.contact_id = e.contact_id
     WHERE e.account_id = $1 AND e.id = ANY ($2::uuid[]) AND e.id >= $3 AND e.id <= $4`,
    [accountId, ordered, ordered[0], ordered.at(-1)],
  );
  return new Map(events.map(({ id, body, isErased }) => [id, isErased ? redactedText(body) : body]));
}
