import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Announcements } from '../database/connections/announcements.js';
import { EventFanout } from './event-fanout.js';
import { OUTBOX_CHANNEL, OutboxSignal } from './outbox-signal.js';

/** Maximum events per statement. */
const BATCH = 1000;
/** Minimum milliseconds between batches that are not full: combines many small commits without delaying a lone one. */
const MIN_INTERVAL_MS = 4;
/** The first and the longest wait between attempts while the database is unavailable, milliseconds. */
const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 5000;

/**
 * Moves events from the outbox to deliveries. One statement removes a batch and fans it out, so that a crash at any
 * moment neither loses nor repeats an event. Any number of relays may run. A sweep wakes one for what no signal
 * announced.
 */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(OutboxRelay.name);
  private finished: Promise<void> = Promise.resolve();
  private stopping = false;
  private signalled = false;
  private endWait: (() => void) | null = null;

  constructor(
    private readonly fanout: EventFanout,
    private readonly signal: OutboxSignal,
    private readonly announcements: Announcements,
  ) {}

  onApplicationBootstrap(): void {
    const wake = () => this.wake();
    this.signal.onRaise(wake);
    this.announcements.listen(OUTBOX_CHANNEL, wake);
    this.finished = this.work();
  }

  /** Finishes the batch under way. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    this.wake();
    await this.finished;
  }

  /** Looks at the outbox now. */
  wake(): void {
    this.signalled = true;
    this.endWait?.();
  }

  private async work(): Promise<void> {
    let failures = 0;
    while (!this.stopping) {
      // Later commits raise the signal again, so without a signal nothing was missed.
      this.signalled = false;
      const began = performance.now();
      try {
        const moved = await this.fanout.relay(BATCH);
        if (failures > 0) this.logger.log(`the relay recovered after ${failures} failed attempts`);
        failures = 0;
        if (moved === BATCH) continue;
        await this.waitForSignal();
        await pause(began + MIN_INTERVAL_MS - performance.now());
      } catch (error) {
        failures += 1;
        if (failures === 1) this.logger.error(`the relay failed and will keep retrying: ${(error as Error).message}`);
        await this.waitForShutdown(Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS));
      }
    }
  }

  private async waitForSignal(): Promise<void> {
    if (!this.signalled && !this.stopping) await this.wait(null);
  }

  /** Signals don't cut a backoff short. */
  private async waitForShutdown(ms: number): Promise<void> {
    const until = performance.now() + ms;
    while (!this.stopping && performance.now() < until) await this.wait(until - performance.now());
  }

  /** @param ms null: until a signal comes */
  private async wait(ms: number | null): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = ms === null ? undefined : setTimeout(resolve, ms);
      this.endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.endWait = null;
  }
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}
