import type { EndpointKey } from '../../outbox/event-fanout.js';

/** Retries of one endpoint that are due in the same interval of this many milliseconds share a timer. */
const GRAIN_MS = 100;

/** A scheduled retry. */
export interface Retry extends EndpointKey {
  readonly deliveryId: string;
}

interface Alarm {
  readonly timer: NodeJS.Timeout;
  /** The lowest delivery id among its retries. */
  since: string;
}

/** Timers for due retries. They fire per endpoint, never early, and at most 100 ms late. */
export class RetryAlarm {
  private readonly alarms = new Map<string, Alarm>();

  /** @param ring called with the endpoint and the lowest id of its due deliveries */
  constructor(private readonly ring: (endpoint: EndpointKey, since: string) => void) {}

  /** @param delayMs milliseconds until the retry is due */
  set({ accountId, endpointId, deliveryId }: Retry, delayMs: number): void {
    const now = performance.now();
    const grain = Math.floor((now + delayMs) / GRAIN_MS) + 1;
    const key = `${endpointId}/${grain}`;
    const set = this.alarms.get(key);
    if (set !== undefined) {
      if (deliveryId < set.since) set.since = deliveryId;
      return;
    }
    const ring = (): void => {
      const since = this.alarms.get(key)?.since ?? deliveryId;
      this.alarms.delete(key);
      this.ring({ accountId, endpointId }, since);
    };
    this.alarms.set(key, { timer: setTimeout(ring, grain * GRAIN_MS - now), since: deliveryId });
  }

  stop(): void {
    for (const { timer } of this.alarms.values()) clearTimeout(timer);
    this.alarms.clear();
  }
}
