import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { MicroBatch } from '../database/batching/micro-batch.js';
import { type UntilStoredOptions, untilStored } from '../database/connections/until-stored.js';
import { Pipeline, type Tx } from '../database/unit-of-work.js';
import type { AcceptedMessage } from '../messages/outcomes/acceptance.queries.js';
import type { MessageReport, ReportOutcome } from '../messages/outcomes/message-report.js';
import type { FinishedBatch } from '../messages/outcomes/message-report.queries.js';
import { MessageReportsService } from '../messages/outcomes/message-reports.service.js';
import { Outbox } from '../outbox/outbox.js';
import type { LeavesUnfinished } from '../runtime/shutdown-hooks.js';
import { endsWithin } from '../values/ends-within.js';

/** How long a caller waits for its outcome to be stored, milliseconds; after that it gets its response anyway. */
const MAX_STORE_WAIT_MS = 2000;

/** Reports to be recorded in one transaction, with the changes that commit with them. */
export interface RecordedTogether {
  readonly reports: readonly MessageReport[];
  /** Changes to campaign recipients in the same transaction. */
  readonly recipients?: (tx: Tx) => Promise<void>;
}

/** The messages of a batch in flight that the network has accepted. */
export interface AcceptedBatch {
  readonly accountId: string;
  readonly accepted: readonly AcceptedMessage[];
  /** The batch, if it is complete with them. */
  readonly finished: readonly FinishedBatch[];
}

/**
 * Stores the outcomes of sends. An outcome exists nowhere else, so while the database is unavailable or a row is locked
 * it is kept in memory and retried. A campaign's worker waits for that; the caller of a single send waits at most 2 s.
 */
@Injectable()
export class OutcomeRecorder implements BeforeApplicationShutdown, LeavesUnfinished {
  private readonly logger = new Logger(OutcomeRecorder.name);
  private underWay = 0;
  private idle: (() => void)[] = [];
  private readonly acceptances = new MicroBatch<AcceptedMessage, void>(
    async (accepted) => {
      await this.accepted(accepted, [], { leavesContention: true });
      return accepted.map(() => undefined);
    },
    {
      name: 'acceptances',
      maxItems: 200,
      concurrency: 2,
      besideAfterMs: 25,
      tenantOf: ({ message }) => message.accountId,
      keepsAll: true,
    },
  );
  private readonly batches = new MicroBatch<AcceptedBatch, void>(
    async (batches) => {
      const accepted = batches.flatMap((batch) => batch.accepted);
      const finished = batches.flatMap((batch) => batch.finished);
      await this.accepted(accepted, finished, { leavesContention: true });
      return batches.map(() => undefined);
    },
    {
      name: 'campaign acceptances',
      maxItems: 400,
      weigh: ({ accepted }) => accepted.length,
      concurrency: 2,
      tenantOf: ({ accountId }) => accountId,
      keepsAll: true,
    },
  );
  private readonly singles = new MicroBatch<MessageReport, void>(
    async (reports) => {
      await this.inTransaction({ reports }, { leavesContention: true });
      return reports.map(() => undefined);
    },
    { name: 'outcomes', maxItems: 200, concurrency: 1, tenantOf: ({ accountId }) => accountId, keepsAll: true },
  );

  constructor(
    private readonly pipeline: Pipeline,
    private readonly reports: MessageReportsService,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Records that the network accepted a message that the caller has just stored. Sends that finish at the same time
   * share a commit. Resolves once it is stored, or after 2 s: the network has the message either way.
   */
  acceptance(accepted: AcceptedMessage): Promise<void> {
    return this.waitBriefly(this.acceptances.run(accepted));
  }

  /**
   * Records that the network accepted messages of a batch in flight. Batches that finish at the same time share a
   * commit. Resolves once it is stored.
   */
  batch(accepted: AcceptedBatch): Promise<void> {
    return this.batches.run(accepted);
  }

  /** Prepares the statement that stores acceptances on a connection. Stores nothing. */
  warmUp(): Promise<void> {
    return this.reports.warmUp();
  }

  /** Records any other outcome of a single send. Resolves like {@link acceptance}. */
  single(report: MessageReport): Promise<void> {
    return this.waitBriefly(this.singles.run(report));
  }

  /** Records outcomes in one transaction; retries for as long as the database is unavailable. */
  together(recorded: RecordedTogether, options: StoringOptions = {}): Promise<ReportOutcome[]> {
    return this.inTransaction(recorded, options);
  }

  private async inTransaction(
    { reports, recipients }: RecordedTogether,
    options: StoringOptions = {},
  ): Promise<ReportOutcome[]> {
    const once = () => this.pipeline.transaction((tx) => this.reports.record(reports, tx, recipients));
    const outcomes = await this.persist(reports.length, once, options);
    this.outbox.announce();
    return outcomes;
  }

  private async accepted(
    accepted: readonly AcceptedMessage[],
    finished: readonly FinishedBatch[],
    options: StoringOptions = {},
  ): Promise<void> {
    const once = () => this.reports.recordFirst(accepted, finished);
    const { overtaken, announces } = await this.persist(accepted.length, once, options);
    if (announces) this.outbox.announce();
    if (overtaken.length > 0) await this.inTransaction({ reports: overtaken }, options);
  }

  /** Retries `work` until it is committed. Recording the same report twice changes nothing. */
  private async persist<T>(outcomes: number, work: () => Promise<T>, options: StoringOptions): Promise<T> {
    this.underWay += outcomes;
    try {
      return await untilStored(work, {
        what: outcomes === 1 ? 'an outcome' : `${outcomes} outcomes`,
        logger: this.logger,
        ...options,
      });
    } finally {
      this.underWay -= outcomes;
      if (this.underWay === 0) for (const resolve of this.idle.splice(0)) resolve();
    }
  }

  private async waitBriefly(stored: Promise<void>): Promise<void> {
    if (await endsWithin(stored, MAX_STORE_WAIT_MS)) return;
    stored.catch((error: Error) => this.logger.error(`an outcome could not be stored: ${error.message}`));
  }

  /** Waits until all outcomes are stored. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.acceptances.drained();
    await this.batches.drained();
    await this.singles.drained();
    if (this.underWay > 0) await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  /** Outcomes that are not stored are settled by status reports, or at the horizon. */
  unfinished(): string | null {
    const left = this.underWay + this.acceptances.depth + this.batches.depth + this.singles.depth;
    return left === 0 ? null : `${left} outcomes of sends`;
  }
}

type StoringOptions = Pick<UntilStoredOptions, 'leavesContention'>;
