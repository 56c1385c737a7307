import type { Tx } from '../database/unit-of-work.js';
import type { EventKind } from './event.js';

/** An event on its way to its subscribers; its body stays in the log. */
export interface OutboxEvent {
  readonly accountId: string;
  readonly eventId: string;
  readonly kind: EventKind;
}

/** A subscriber that has something new to deliver. */
export interface Wakeup {
  readonly accountId: string;
  readonly endpointId: string;
}

/** What the relay hands events to; the webhooks room implements it. */
export abstract class EventFanout {
  /**
   * Makes one delivery per event and subscriber, in the transaction in which the events leave the outbox.
   *
   * @returns each subscriber that got something, once
   */
  abstract fanOut(events: readonly OutboxEvent[], tx: Tx): Promise<Wakeup[]>;

  /** Called once that transaction has committed. It must not wait for a queue: what it loses, a sweep finds again. */
  abstract wake(subscribers: readonly Wakeup[]): void;
}
