import { Injectable } from '@nestjs/common';
import { Pipeline } from '../../database/connections/pipeline.js';
import { MESSAGE_ERRORS } from '../../errors/error-catalog.js';
import { Sweep } from '../../queues/sweep.js';
import { now, SECOND } from '../../values/clock.js';
import type { MessageError } from '../message-event.js';
import { OutcomeRecorder } from '../sending/outcome-recorder.js';
import {
  dropBatches,
  findExpiredBatches,
  findLostSends,
  type InFlightBatch,
} from '../sending/send-in-flight.queries.js';
import type { MessageReport } from './message-report.js';

/** Batches settled in one step; each has up to a hundred messages, nearly all with a known outcome. */
const BATCHES_PER_STEP = 50;
/** Messages failed in one transaction. */
const MESSAGES_PER_TRANSACTION = 500;

/**
 * Fails messages that had no report before the horizon, and those that will not be sent after all. Batches are dropped
 * afterwards, so a killed sweep simply starts over; failing a message twice changes nothing.
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
      const batches = await findExpiredBatches(BATCHES_PER_STEP, this.pipeline.autocommit);
      if (batches.length === 0) return;
      await this.failLost(batches);
      await dropBatches(batches, this.pipeline.autocommit);
      if (batches.length < BATCHES_PER_STEP) return;
    }
  }

  private async failLost(batches: readonly InFlightBatch[]): Promise<void> {
    const lost = await findLostSends(batches, this.pipeline.autocommit);
    const unsent = new Map(
      batches.flatMap(({ messageIds, ...batch }) =>
        batch.unsent ? messageIds.map((id) => [id, reasonOf(batch)] as const) : [],
      ),
    );
    for (let start = 0; start < lost.length; start += MESSAGES_PER_TRANSACTION) {
      const reports = lost.slice(start, start + MESSAGES_PER_TRANSACTION).map(
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

/** @param unsentBecause undefined if the message may have been sent */
const failureOf = (unsentBecause: MessageError | undefined): Pick<MessageReport, 'kind' | 'error'> =>
  unsentBecause === undefined
    ? { kind: 'expired', error: MESSAGE_ERRORS.outcomeUnknown }
    : { kind: 'refused', error: unsentBecause };

/** Why a message was provably not sent: its campaign stopped, or for single sends the database was unavailable. */
const reasonOf = ({ campaignId }: Pick<InFlightBatch, 'campaignId'>): MessageError =>
  campaignId === null ? MESSAGE_ERRORS.networkUnavailable : MESSAGE_ERRORS.retriesExhausted;
