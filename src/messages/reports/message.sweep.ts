import { Injectable } from '@nestjs/common';
import { Pipeline } from '../../database/connections/pipeline.js';
import { MESSAGE_ERRORS } from '../../errors/error-catalog.js';
import { Sweep } from '../../queues/sweep.js';
import { now, SECOND } from '../../values/clock.js';
import type { MessageError } from '../message-event.js';
import { OutcomeRecorder } from '../sending/outcome-recorder.js';
import {
  dropBatches,
  findLostSends,
  type InFlightBatch,
  takeExpiredBatches,
} from '../sending/send-in-flight.queries.js';
import type { MessageReport } from './message-report.js';

/** Batches that one step settles; each is up to a hundred messages, nearly all of them with a known outcome. */
const BATCHES = 50;
/** Messages that fail in one transaction. */
const MESSAGES = 500;

/**
 * Fails messages of which nothing was heard until the horizon, and those that will not be sent after all. Batches are
 * dropped after that, so that a sweep that was killed in between starts over; failing a message twice changes nothing.
 */
@Injectable()
export class MessageSweep extends Sweep {
  constructor(
    private readonly pipeline: Pipeline,
    private readonly outcomes: OutcomeRecorder,
  ) {
    super(SECOND);
  }

  protected async sweep(): Promise<void> {
    for (;;) {
      const batches = await takeExpiredBatches(BATCHES, this.pipeline.autocommit);
      if (batches.length === 0) return;
      await this.failLost(batches);
      await dropBatches(batches, this.pipeline.autocommit);
      if (batches.length < BATCHES) return;
    }
  }

  private async failLost(batches: readonly InFlightBatch[]): Promise<void> {
    const lost = await findLostSends(batches, this.pipeline.autocommit);
    const unsent = new Map(
      batches.flatMap(({ messageIds, ...batch }) =>
        batch.unsent ? messageIds.map((id) => [id, reasonOf(batch)] as const) : [],
      ),
    );
    for (let start = 0; start < lost.length; start += MESSAGES) {
      const reports = lost.slice(start, start + MESSAGES).map(
        ({ accountId, messageId, cancelled }): MessageReport => ({
          accountId,
          messageId,
          at: now(),
          ...(cancelled ? CANCELLED : failureOf(unsent.get(messageId))),
        }),
      );
      await this.outcomes.together({ reports });
    }
  }
}

const CANCELLED = { kind: 'cancelled', error: MESSAGE_ERRORS.cancelled } as const;

/** @param unsentBecause undefined where the message may have been sent */
const failureOf = (unsentBecause: MessageError | undefined): Pick<MessageReport, 'kind' | 'error'> =>
  unsentBecause === undefined
    ? { kind: 'expired', error: MESSAGE_ERRORS.outcomeUnknown }
    : { kind: 'refused', error: unsentBecause };

/** Why a message was provably not sent: its campaign has stopped, or the database was not there to store it. */
const reasonOf = ({ campaignId }: Pick<InFlightBatch, 'campaignId'>): MessageError =>
  campaignId === null ? MESSAGE_ERRORS.networkUnavailable : MESSAGE_ERRORS.retriesExhausted;
