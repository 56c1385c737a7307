import type { Wakeup } from '../outbox/event-fanout.js';

/** Retries of one endpoint that are due within the same so many milliseconds share a timer. */
const GRAIN_MS = 100;

/** Rings when retries of an endpoint are due: never early, and at most a tenth of a second late. */
export class RetryAlarm {
  private readonly timers = new Map<string, NodeJS.Timeout>();

  constructor(private readonly ring: (endpoint: Wakeup) => void) {}

  /** @param delayMs from now until the retry is due */
  set(endpoint: Wakeup, delayMs: number): void {
    const now = Date.now();
    const grain = Math.floor((now + delayMs) / GRAIN_MS) + 1;
    const key = `${endpoint.endpointId}/${grain}`;
    if (this.timers.has(key)) return;
    const timer = setTimeout(
      () => {
        this.timers.delete(key);
        this.ring(endpoint);
      },
      grain * GRAIN_MS - now,
    );
    this.timers.set(key, timer);
  }

  stop(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }
}
