import { Injectable } from '@nestjs/common';
import type { Tx } from '../database/unit-of-work.js';
import { Manifest } from '../manifest/manifest.js';
import { newRecordId } from '../values/record-id.js';
import type { DomainEvent } from './event.js';
import { OutboxSignal } from './outbox-signal.js';

/** An event as stored, its body serialised. */
export interface EventRow {
  readonly accountId: string;
  readonly id: string;
  readonly occurredAt: Date;
  readonly kind: string;
  readonly contactId: string | null;
  readonly body: string;
}

/** Serialises an event as it will be stored and delivered. */
export const eventRow = ({ accountId, kind, contactId, occurredAt, payload }: DomainEvent): EventRow => ({
  accountId,
  id: newRecordId(),
  occurredAt,
  kind,
  contactId,
  body: JSON.stringify(payload),
});

/**
 * Inserts the rows of `event` (account_id, id, kind, body) into the outbox. Skips accounts without an active endpoint:
 * their events are only logged.
 */
export const ANNOUNCED = `INSERT INTO outbox (account_id, event_id, kind, body)
       SELECT e.account_id, e.id, e.kind, e.body FROM event e
       WHERE EXISTS (SELECT FROM listening_accounts l WHERE l.account_id = e.account_id)`;

/**
 * Records events in the transaction that causes them. Each event is serialised once, logged, and put in the outbox,
 * from which the relay fans it out.
 */
@Injectable()
export class Outbox {
  constructor(
    private readonly signal: OutboxSignal,
    private readonly manifest: Manifest,
  ) {}

  /**
   * Writes events in the caller's transaction. Call {@link announce} once it has committed.
   *
   * @throws Error when no room declares a kind, or nobody can subscribe to it
   */
  async write(events: readonly DomainEvent[], tx: Tx): Promise<void> {
    if (events.length === 0) return;
    const unknown = events.find(({ kind }) => !this.manifest.subscribableEvents.includes(kind));
    if (unknown !== undefined) throw new Error(`no room declares ${unknown.kind} as an event to subscribe to`);
    const rows = events.map(eventRow);
    await tx.affected(
      `WITH event AS (
         INSERT INTO events (account_id, id, occurred_at, kind, contact_id, body)
         SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::uuid[], $6::text[])
         RETURNING account_id, id, kind, body
       )
       ${ANNOUNCED}`,
      [
        rows.map(({ accountId }) => accountId),
        rows.map(({ id }) => id),
        rows.map(({ occurredAt }) => occurredAt),
        rows.map(({ kind }) => kind),
        rows.map(({ contactId }) => contactId),
        rows.map(({ body }) => body),
      ],
    );
  }

  /** Wakes the relay. A lost call costs at most a second. */
  announce(): void {
    this.signal.raise();
  }
}
