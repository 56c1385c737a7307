import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { EventFanout } from './event-fanout.js';
import { hasEvents, takeEvents } from './outbox.queries.js';
import { OutboxListener } from './outbox-listener.js';
import { OutboxSignal } from './outbox-signal.js';

/** Events in one transaction at most. */
const BATCH = 1000;
/** The safety net for lost signals, milliseconds. */
const POLL_MS = 1000;
/** After a batch that was not full, events gather this long before the next look: many small commits make one batch. */
const GATHER_MS = 10;
/** While the database is away: the first and the longest wait between tries, milliseconds. */
const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 5000;

/**
 * Moves events from the outbox to deliveries: a batch leaves the outbox and is fanned out in one transaction, so that a
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
    private readonly unitOfWork: BackgroundUnitOfWork,
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
      this.signalled = false;
      try {
        const moved = await this.relayBatch();
        if (failures > 0) this.logger.log(`the relay works again after ${failures} failed tries`);
        failures = 0;
        if (moved === BATCH) continue;
        await pause(GATHER_MS);
        if (moved === 0) await this.waitForSignal(POLL_MS);
      } catch (error) {
        failures += 1;
        if (failures === 1) this.logger.error(`the relay failed and keeps trying: ${(error as Error).message}`);
        await this.waitForShutdown(Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS));
      }
    }
  }

  /** @returns how many events it moved */
  private async relayBatch(): Promise<number> {
    if (!(await hasEvents(this.unitOfWork.autocommit))) return 0;
    const { moved, subscribers } = await this.unitOfWork.transaction(async (tx) => {
      const events = await takeEvents(BATCH, tx);
      return { moved: events.length, subscribers: events.length === 0 ? [] : await this.fanout.fanOut(events, tx) };
    });
    if (subscribers.length > 0) this.fanout.wake(subscribers);
    return moved;
  }

  private async waitForSignal(atMostMs: number): Promise<void> {
    if (!this.signalled && !this.stopping) await this.wait(atMostMs);
  }

  /** Signals do not cut a backoff short. */
  private async waitForShutdown(ms: number): Promise<void> {
    const until = Date.now() + ms;
    while (!this.stopping && Date.now() < until) await this.wait(until - Date.now());
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

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
