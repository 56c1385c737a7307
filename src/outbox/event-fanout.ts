/** Whom the relay has move events on; the webhooks room implements it. */
export abstract class EventFanout {
  /**
   * Takes up to `limit` events out of the outbox and gives each subscriber its delivery, both or neither. What it starts then
   * goes on by itself: it never waits for a receiver.
   *
   * @returns how many events it took
   */
  abstract relay(limit: number): Promise<number>;
}

/** A subscriber that has something to deliver. */
export interface Wakeup {
  readonly accountId: string;
  readonly endpointId: string;
}
