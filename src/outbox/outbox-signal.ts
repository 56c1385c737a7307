import { Injectable, Logger } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';

/** Channel on which processes without a relay tell the others that the outbox has rows. */
export const OUTBOX_CHANNEL = 'parley_outbox';
/** Announcements of this many milliseconds become one NOTIFY. */
const DEBOUNCE_MS = 20;

/** Wakes the relay: directly when it runs in this process, by a debounced NOTIFY otherwise. */
@Injectable()
export class OutboxSignal {
  private readonly logger = new Logger(OutboxSignal.name);
  private listener: (() => void) | null = null;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {}

  /** Called by the relay of this process. */
  onRaise(listener: () => void): void {
    this.listener = listener;
  }

  raise(): void {
    if (this.listener !== null) {
      this.listener();
      return;
    }
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.unitOfWork.autocommit.rows(`NOTIFY ${OUTBOX_CHANNEL}`).catch((error: Error) => {
        this.logger.warn(`NOTIFY failed, the relay's poll will find the events: ${error.message}`);
      });
    }, DEBOUNCE_MS);
  }
}
