import { Injectable } from '@nestjs/common';
import { Pipeline, type Tx } from '../database/unit-of-work.js';
import { MESSAGE_ERRORS } from '../errors/error-catalog.js';
import type { MessageError } from '../messages/message-event.js';
import type { MessageReport } from '../messages/outcomes/message-report.js';
import { MessageReportsService } from '../messages/outcomes/message-reports.service.js';
import { Outbox } from '../outbox/outbox.js';
import { Sweep } from '../queues/sweep.js';
import {
  EXPIRED_BATCH,
  findExpiredBatches,
  findLostSends,
  type InFlightBatch,
  takeExpired,
} from '../sending/ledger/send-in-flight.queries.js';
import { now, SECOND } from '../values/clock.js';

/** Batches looked at in one step; each has up to 200 messages, nearly all with a known outcome. */
const BATCHES_PER_STEP = 50;
/** Batches settled in one transaction. */
const BATCHES_PER_TRANSACTION = 5;

/**
 * Fails messages that had no report before the horizon, and those that will not be sent after all. Their batch ends in the
 * same transaction: a worker that comes back late and would put its recipients back finds it gone, or has it.
 */
@Injectable()
export class HorizonSweep extends Sweep {
  constructor(
    private readonly pipeline: Pipeline,
    private readonly reports: MessageReportsService,
    private readonly outbox: Outbox,
  ) {
    super(SECOND, { look: EXPIRED_BATCH });
  }

  protected async sweep(): Promise<void> {
    const left: string[] = [];
    while (!this.isStopping) {
      const batches = await findExpiredBatches(BATCHES_PER_STEP, left, this.pipeline.autocommit);
      // A message or batch that is locked waits for the next run, so that it does not hold up other accounts.
      left.push(...(await this.forEachAccount(batches, (_, own) => this.settleAll(own, left))));
      if (batches.length < BATCHES_PER_STEP) return;
    }
  }

  private async settleAll(own: readonly InFlightBatch[], left: string[]): Promise<void> {
    for (let start = 0; start < own.length; start += BATCHES_PER_TRANSACTION) {
      const batches = own.slice(start, start + BATCHES_PER_TRANSACTION);
      const [{ accountId }] = batches as [InFlightBatch];
      const isDone = await this.pipeline.transaction((tx) => this.settle(accountId, batches, tx));
      this.outbox.announce();
      if (!isDone) left.push(accountId);
    }
  }

  /** @returns whether all were settled */
  private async settle(accountId: string, batches: readonly InFlightBatch[], tx: Tx): Promise<boolean> {
    const ids = await takeExpired(
      accountId,
      batches.map(({ id }) => id),
      tx,
    );
    const taken = batches.filter(({ id }) => ids.has(id));
    const unsent = new Map(
      taken.flatMap(({ messageIds, ...batch }) =>
        batch.unsent ? messageIds.map((id) => [id, reasonOf(batch)] as const) : [],
      ),
    );
    const lost = taken.length === 0 ? [] : await findLostSends(taken, tx);
    const reports = lost.map(
      ({ messageId, cancelled }): MessageReport => ({
        accountId,
        messageId,
        at: now(),
        ...(cancelled ? CANCELLED : failureOf(unsent.get(messageId))),
      }),
    );
    await this.reports.record(reports, tx);
    return taken.length === batches.length;
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
