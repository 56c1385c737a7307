import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { EventFanout } from './event-fanout.js';
import { OutboxListener } from './outbox-listener.js';
import { OutboxSignal } from './outbox-signal.js';

/** Events in one statement at most. */
const BATCH = 1000;
/** The safety net for lost signals, milliseconds. */
const POLL_MS = 1000;
/** Batches that are not full begin so far apart, milliseconds: many small commits make one, and a lone one does not wait. */
const MIN_INTERVAL_MS = 4;
/** While the database is away: the first and the longest wait between tries, milliseconds. */
const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 5000;

/**
 * Moves events from the outbox to deliveries: a batch leaves the outbox and is fanned out in one statement, so that a
 * kill at any moment neither loses nor repeats one. Any number of relays may run.
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
    private readonly listener: OutboxListener,
  ) {}

  onApplicationBootstrap(): void {
    const wake = () => this.wake();
    this.signal.onRaise(wake);
    this.listener.listen(wake);
    this.finished = this.work();
  }

  /** Finishes the batch under way. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    this.wake();
    await this.finished;
  }

  private wake(): void {
    this.signalled = true;
    this.endWait?.();
  }

  private async work(): Promise<void> {
    let failures = 0;
    while (!this.stopping) {
      // Whatever commits from now on raises the signal again, so a signal that stays away means that nothing was missed.
      this.signalled = false;
      const began = performance.now();
      try {
        const moved = await this.fanout.relay(BATCH);
        if (failures > 0) this.logger.log(`the relay works again after ${failures} failed tries`);
        failures = 0;
        if (moved === BATCH) continue;
        await this.waitForSignal(POLL_MS);
        await pause(began + MIN_INTERVAL_MS - performance.now());
      } catch (error) {
        failures += 1;
        if (failures === 1) this.logger.error(`the relay failed and keeps trying: ${(error as Error).message}`);
        await this.waitForShutdown(Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS));
      }
    }
  }

  private async waitForSignal(atMostMs: number): Promise<void> {
    if (!this.signalled && !this.stopping) await this.wait(atMostMs);
  }

  /** Signals do not cut a backoff short. */
  private async waitForShutdown(ms: number): Promise<void> {
    const until = performance.now() + ms;
    while (!this.stopping && performance.now() < until) await this.wait(until - performance.now());
  }

  private async wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
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
