/** Fans events out for the relay. The webhooks room implements it. */
export abstract class EventFanout {
  /**
   * Moves up to `limit` events atomically from the outbox to deliveries, one per subscriber. Starts the deliveries
   * without waiting for a receiver.
   *
   * @returns the number of events moved
   */
  abstract relay(limit: number): Promise<number>;
}

/** An endpoint with pending deliveries. */
export interface EndpointKey {
  readonly accountId: string;
  readonly endpointId: string;
}
