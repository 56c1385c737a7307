import { Injectable, Logger } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';

/** Channel on which processes without a relay announce new outbox rows. */
export const OUTBOX_CHANNEL = 'parley_outbox';
/** Minimum milliseconds between NOTIFYs: the first goes out immediately, and those that follow soon share the next. */
const MIN_INTERVAL_MS = 5;

/** Wakes the relay: directly if it runs in this process, otherwise by NOTIFY. */
@Injectable()
export class OutboxSignal {
  private readonly logger = new Logger(OutboxSignal.name);
  private listener: (() => void) | null = null;
  private timer: NodeJS.Timeout | null = null;
  private notifiedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {}

  /** Registers the relay of this process. */
  onRaise(listener: () => void): void {
    this.listener = listener;
  }

  raise(): void {
    if (this.listener !== null) {
      this.listener();
      return;
    }
    const waitMs = Math.max(0, this.notifiedAt + MIN_INTERVAL_MS - performance.now());
    this.timer ??= setTimeout(() => this.notify(), waitMs);
  }

  private notify(): void {
    this.timer = null;
    this.notifiedAt = performance.now();
    this.unitOfWork.autocommit.rows(`NOTIFY ${OUTBOX_CHANNEL}`).catch((error: Error) => {
      this.logger.warn(`NOTIFY failed, the sweep will find the events: ${error.message}`);
    });
  }
}
