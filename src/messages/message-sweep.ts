import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { MESSAGE_ERRORS } from '../errors/error-catalog.js';
import { Sweep } from '../queues/sweep.js';
import { now, SECOND } from '../values/clock.js';
import { findExpiredMessages } from './message-report.queries.js';
import { OutcomeRecorder } from './outcome-recorder.js';

const BATCH = 500;

/** Fails messages of which nothing was heard until the horizon (D14). */
@Injectable()
export class MessageSweep extends Sweep {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly outcomes: OutcomeRecorder,
  ) {
    super(SECOND);
  }

  protected async sweep(): Promise<void> {
    for (;;) {
      const expired = await findExpiredMessages(BATCH, this.unitOfWork.autocommit);
      if (expired.length === 0) return;
      await this.outcomes.together({
        reports: expired.map(({ account_id: accountId, id: messageId }) => ({
          accountId,
          messageId,
          kind: 'expired' as const,
          at: now(),
          error: MESSAGE_ERRORS.outcomeUnknown,
        })),
      });
      if (expired.length < BATCH) return;
    }
  }
}
