import type { Tx } from '../database/unit-of-work.js';
import type { EventKind } from './event.js';
import type { OutboxEvent } from './event-fanout.js';

interface OutboxRow {
  readonly account_id: string;
  readonly event_id: string;
  readonly occurred_at: Date;
  readonly kind: EventKind;
}

/** Whether the outbox has anything: far cheaper to ask than to take nothing. A pipeline statement, all accounts. */
export async function hasEvents(tx: Tx): Promise<boolean> {
  const row = await tx.row<{ found: boolean }>('SELECT EXISTS (SELECT FROM outbox) AS found');
  return row?.found ?? false;
}

/**
 * Takes up to `limit` events out of the outbox, oldest first, skipping those that another relay holds. A pipeline
 * statement: it serves all accounts. Rows, not a cursor: an event that commits late has an id below those already taken.
 */
export async function takeEvents(limit: number, tx: Tx): Promise<OutboxEvent[]> {
  const rows = await tx.rows<OutboxRow>(
    `DELETE FROM outbox
     WHERE event_id = ANY (ARRAY(SELECT event_id FROM outbox ORDER BY event_id LIMIT $1 FOR UPDATE SKIP LOCKED))
     RETURNING account_id, event_id, occurred_at, kind`,
    [limit],
  );
  return rows.map((row) => ({
    accountId: row.account_id,
    eventId: row.event_id,
    occurredAt: row.occurred_at,
    kind: row.kind,
  }));
}
