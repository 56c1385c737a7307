import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { MicroBatch } from '../database/micro-batch.js';
import { isPassing } from '../database/passing-error.js';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { Outbox } from '../outbox/outbox.js';
import type { MessageReport, ReportOutcome } from './message-report.js';
import { type AcceptedMessage, MessageReports } from './message-reports.service.js';

/** Pauses between tries while the database is away, milliseconds; the last one repeats. */
const RETRY_AFTER_MS = [50, 100, 250, 500, 1000];

/** Reports that are recorded together, and what else commits with them. */
export interface RecordedTogether {
  readonly reports: readonly MessageReport[];
  /** What changes of campaign recipients in the same transaction. */
  readonly recipients?: (tx: Tx) => Promise<void>;
}

/**
 * Commits what the network answered. An outcome is a fact that exists nowhere else: while the database is away it is
 * kept and tried again, and whoever sent the message waits.
 */
@Injectable()
export class OutcomeRecorder implements BeforeApplicationShutdown {
  private readonly logger = new Logger(OutcomeRecorder.name);
  private underWay = 0;
  private idle: (() => void)[] = [];
  private readonly acceptances = new MicroBatch<AcceptedMessage, void>(
    async (accepted) => {
      await this.accepted(accepted);
      return accepted.map(() => undefined);
    },
    { mostItems: 200, concurrency: 4 },
  );
  private readonly singles = new MicroBatch<MessageReport, void>(
    async (reports) => {
      await this.together({ reports });
      return reports.map(() => undefined);
    },
    { mostItems: 200, concurrency: 4 },
  );

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reports: MessageReports,
    private readonly outbox: Outbox,
  ) {}

  /** Records that the network accepted a message which the caller has just stored; sends that end together share a commit. */
  acceptance(accepted: AcceptedMessage): Promise<void> {
    return this.acceptances.run(accepted);
  }

  /** Records any other outcome of one single send. */
  single(report: MessageReport): Promise<void> {
    return this.singles.run(report);
  }

  /** Records outcomes in one transaction, however long the database takes to come back. */
  together({ reports, recipients }: RecordedTogether): Promise<ReportOutcome[]> {
    return this.persist(reports.length, () =>
      this.unitOfWork.transaction((tx) => this.reports.record(reports, tx, recipients)),
    );
  }

  private async accepted(accepted: readonly AcceptedMessage[]): Promise<void> {
    const overtaken = await this.persist(accepted.length, () => this.reports.recordFirst(accepted));
    if (overtaken.length > 0) await this.together({ reports: overtaken });
  }

  /** Does `work` until the database takes it. Recording the same facts twice changes nothing. */
  private async persist<T>(outcomes: number, work: () => Promise<T>): Promise<T> {
    this.underWay += 1;
    try {
      for (let attempt = 0; ; attempt += 1) {
        try {
          const result = await work();
          this.outbox.announce();
          return result;
        } catch (error) {
          if (!isPassing(error)) throw error;
          const pauseMs = RETRY_AFTER_MS[Math.min(attempt, RETRY_AFTER_MS.length - 1)] ?? 1000;
          this.logger.warn(`${outcomes} outcomes wait for the database: ${(error as Error).message}`);
          await new Promise((resolve) => setTimeout(resolve, pauseMs));
        }
      }
    } finally {
      this.underWay -= 1;
      if (this.underWay === 0) for (const resolve of this.idle.splice(0)) resolve();
    }
  }

  /** Nothing that the network answered is left unrecorded. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.acceptances.drained();
    await this.singles.drained();
    if (this.underWay > 0) await new Promise<void>((resolve) => this.idle.push(resolve));
  }
}
