import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { untilStored } from '../../database/connections/until-stored.js';
import { Pipeline } from '../../database/unit-of-work.js';
import { now } from '../../values/clock.js';
import { newRecordId, type RecordId } from '../../values/record-id.js';
import { SINGLE_SEND_TIMEOUT_MS } from '../judge.js';
import { insertInFlight } from './send-in-flight.queries.js';

/** How long the server may keep running a statement after we abandoned its connection, milliseconds. */
const ABANDONED_STATEMENT_MS = 10_000;

/** When single sends without an outcome are settled. */
@Injectable()
export class SendLedger {
  private readonly logger = new Logger(SendLedger.name);

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly pipeline: Pipeline,
  ) {}

  /** The horizon of a message stored `at`: it starts after the longest time a live process may still be sending it. */
  horizonAfter(at: Date): Date {
    const { unknownOutcomeHorizonMs, network } = this.environment;
    return new Date(at.getTime() + SINGLE_SEND_TIMEOUT_MS + network.timeoutMs + unknownOutcomeHorizonMs);
  }

  /**
   * Starts the horizon of a message whose answer was lost. Logs a failure instead of throwing: the message has the
   * horizon that was stored with it.
   */
  async settleLater(accountId: string, messageId: RecordId): Promise<void> {
    try {
      await this.enter(accountId, messageId, this.environment.unknownOutcomeHorizonMs, false);
    } catch (error) {
      this.logger.warn(`could not set the horizon of a message: ${(error as Error).message}`);
    }
  }

  /**
   * Makes the sweep fail a message if its intent turns out to be committed. The caller has been told that it was not
   * sent, but the statement may still be running.
   */
  async markUnsent(accountId: string, messageId: RecordId): Promise<void> {
    try {
      await untilStored(() => this.enter(accountId, messageId, ABANDONED_STATEMENT_MS, true), {
        what: 'the failure of an unsent message',
        logger: this.logger,
      });
    } catch (error) {
      this.logger.error(`message ${messageId} is not settled before its horizon: ${(error as Error).message}`);
    }
  }

  private enter(accountId: string, messageId: RecordId, settleAfterMs: number, unsent: boolean): Promise<void> {
    const settleAt = new Date(now().getTime() + settleAfterMs);
    const batch = { accountId, id: newRecordId(), campaignId: null, messageIds: [messageId], leaseUntil: null };
    return insertInFlight([{ ...batch, settleAt, unsent }], this.pipeline.autocommit);
  }
}
