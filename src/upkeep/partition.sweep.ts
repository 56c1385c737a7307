import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import {
  createPartitions,
  createUpcomingPartitions,
  lowestIdAt,
  PARTITIONED_TABLES,
  type PartitionedTable,
  partitionNamed,
} from '../database/schema/partitions.js';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { Metrics } from '../runtime/metrics.js';
import { conservativeNow, DAY, HOUR, now } from '../values/clock.js';
import { type KnownPartition, PartitionDropper } from './partition-dropper.js';
import {
  deleteFinishedCampaigns,
  findKeptCampaigns,
  findLastPartitions,
  forgetMessages,
  type IdRange,
  type MessageKey,
} from './retention.queries.js';
import { isExpired, type RetentionBounds, retentionBounds } from './retention-rules.js';

const BATCH = 5000;

/**
 * Makes the partitions of the days to come and drops those past their retention, together with the rows of other tables
 * that mean nothing without them.
 */
@Injectable()
export class PartitionSweep extends Sweep {
  private readonly logger = new Logger(PartitionSweep.name);
  private stopping = false;
  /** By table: the end of its last partition, as far as this process has seen. */
  private readonly madeUntil = new Map<string, Date>();

  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    metrics: Metrics,
  ) {
    super(HOUR);
    const ahead = {
      name: 'parley_partitions_ahead_days',
      help: 'Days until a table runs out of partitions',
      labels: ['table'],
    };
    metrics.gauge(ahead, () =>
      [...this.madeUntil].map(([table, until]) => ({
        labels: { table },
        value: (until.getTime() - now().getTime()) / DAY,
      })),
    );
  }

  override async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await super.beforeApplicationShutdown();
  }

  async sweep(): Promise<void> {
    const { pool, autocommit } = this.unitOfWork;
    await this.noteAhead();
    await createUpcomingPartitions(pool);
    await this.noteAhead();
    await PartitionDropper.run(pool, async (dropper) => {
      const bounds = retentionBounds(
        this.environment,
        conservativeNow(),
        await findKeptCampaigns(this.environment.messageRetentionDays, autocommit),
      );
      const failures: unknown[] = [];
      for (const table of PARTITIONED_TABLES) {
        await this.dropExpired(table, bounds, dropper).catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    });
  }

  /** Before partitions are made too: where that fails, the days can be seen to run out. */
  private async noteAhead(): Promise<void> {
    const last = await findLastPartitions(this.unitOfWork.autocommit);
    for (const table of PARTITIONED_TABLES) {
      const until = partitionNamed(table, last.get(table.table) ?? '')?.until;
      if (until !== undefined) this.madeUntil.set(table.table, until);
    }
  }

  /** Stops at the first partition that is in use: whoever uses it uses the whole table. */
  private async dropExpired(
    table: PartitionedTable,
    bounds: RetentionBounds,
    dropper: PartitionDropper,
  ): Promise<void> {
    const partitions = await dropper.partitionsOf(table);
    // What was begun goes first: a table can have only one partition that is being detached.
    for (const partition of [...partitions.filter(isBegun), ...partitions.filter((each) => !isBegun(each))]) {
      if (this.stopping) return;
      const dropped = await this.dropIfExpired(table, partition, bounds, dropper);
      if (!dropped) {
        this.logger.log(`${partition.name} is in use and will be dropped later`);
        return;
      }
    }
  }

  /** False when the partition is in use; true also when it is to be kept, or left to another run. */
  private async dropIfExpired(
    table: PartitionedTable,
    partition: KnownPartition,
    bounds: RetentionBounds,
    dropper: PartitionDropper,
  ): Promise<boolean> {
    const { state } = partition;
    const expired = isExpired(table, partition, bounds);
    if (state === 'detaching' && !(await dropper.finishDetaching(table, partition))) return false;
    if (!expired) {
      // Retention was raised while it was being dropped.
      if (state !== 'attached') await createPartitions(this.unitOfWork.pool, table, [partition]);
      return true;
    }
    if (state === 'attached') {
      await this.deleteDependents(table, partition);
      if (this.stopping) return true;
      if (!(await dropper.detach(table, partition))) return false;
    }
    return dropper.drop(partition);
  }

  /** Before the partition goes: after an interruption the next run looks through it again. Takes minutes for millions. */
  private async deleteDependents({ table }: PartitionedTable, { from, until }: KnownPartition): Promise<void> {
    const { autocommit } = this.unitOfWork;
    const range: IdRange = [lowestIdAt(from), lowestIdAt(until)];
    if (table === 'campaign_recipients') {
      while (!this.stopping && (await deleteFinishedCampaigns(range, BATCH, autocommit)) === BATCH);
    }
    if (table === 'messages') {
      let last: MessageKey | null = null;
      do last = await forgetMessages(range, until, last, BATCH, autocommit);
      while (!this.stopping && last !== null);
    }
  }
}

const isBegun = ({ state }: KnownPartition): boolean => state !== 'attached';
