import { SECOND } from '../values/clock.js';
import { endsWithin } from '../values/ends-within.js';

/** How long a reading is kept, milliseconds. Several scrapers, or an impatient one, cost no more than one. */
const KEEP_MS = 3 * SECOND;

/**
 * A value that metrics need and that takes a round trip to read. Reads never overlap, and a failed one is not repeated
 * before {@link KEEP_MS} have passed either.
 */
export class FreshReading<Value> {
  private latest: Promise<Value> | null = null;
  private pending = false;
  private readAt = 0;

  /** @param patienceMs milliseconds that a scrape waits for the value */
  constructor(
    private readonly read: () => Promise<Value>,
    private readonly patienceMs: number,
  ) {}

  /** @throws when the value could not be read, or not in time */
  async get(): Promise<Value> {
    const isOld = performance.now() - this.readAt > KEEP_MS;
    const latest = this.latest === null || (isOld && !this.pending) ? this.start() : this.latest;
    if (!(await endsWithin(latest, this.patienceMs))) throw new Error('it was not read in time');
    return latest;
  }

  private start(): Promise<Value> {
    const reading = this.read();
    this.pending = true;
    this.latest = reading;
    this.readAt = performance.now();
    const ended = (): void => {
      this.pending = false;
    };
    reading.then(ended, ended);
    return reading;
  }
}
