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
  deleteMessageTraces,
  findKeptCampaigns,
  findLastPartitions,
  type IdRange,
  type MessageKey,
} from './retention.queries.js';
import { isExpired, type RetentionBounds, retentionBounds } from './retention-rules.js';

const BATCH = 5000;

/** Creates upcoming partitions and drops expired ones, together with dependent rows in other tables. */
@Injectable()
export class PartitionSweep extends Sweep {
  private readonly logger = new Logger(PartitionSweep.name);
  /** The end of each table's last known partition. */
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
    // What a worker knew when it last swept says nothing once another one does.
    metrics.gauge(ahead, () =>
      (this.isLeading ? [...this.madeUntil] : []).map(([table, until]) => ({
        labels: { table },
        value: (until.getTime() - now().getTime()) / DAY,
      })),
    );
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
      await this.forEach(
        PARTITIONED_TABLES,
        ({ table }) => `table ${table}`,
        (table) => this.dropExpired(table, bounds, dropper),
      );
    });
  }

  /** Also called before partitions are created, so that the metric shows the days running out if that fails. */
  private async noteAhead(): Promise<void> {
    const last = await findLastPartitions(this.unitOfWork.autocommit);
    for (const table of PARTITIONED_TABLES) {
      const until = partitionNamed(table, last.get(table.table) ?? '')?.until;
      if (until !== undefined) this.madeUntil.set(table.table, until);
    }
  }

  /** Stops at the first locked partition: its lock covers the whole table. */
  private async dropExpired(
    table: PartitionedTable,
    bounds: RetentionBounds,
    dropper: PartitionDropper,
  ): Promise<void> {
    const partitions = await dropper.partitionsOf(table);
    // Interrupted drops go first: a table can detach only one partition at a time.
    for (const partition of [...partitions.filter(isBegun), ...partitions.filter((each) => !isBegun(each))]) {
      if (this.isStopping) return;
      const dropped = await this.dropIfExpired(table, partition, bounds, dropper);
      if (!dropped) {
        this.logger.log(`${partition.name} is in use and will be dropped later`);
        return;
      }
    }
  }

  /** False when the partition is in use. True also when it is not expired or is left to another run. */
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
      // The retention was raised during the drop.
      if (state !== 'attached') await createPartitions(this.unitOfWork.pool, table, [partition]);
      return true;
    }
    if (state === 'attached') {
      await this.deleteDependents(table, partition);
      if (this.isStopping) return true;
      if (!(await dropper.detach(table, partition))) return false;
    }
    return dropper.drop(partition);
  }

  /** Runs before the detach, so that the next run can resume after an interruption. Millions of rows take minutes. */
  private async deleteDependents({ table }: PartitionedTable, { from, until }: KnownPartition): Promise<void> {
    const { autocommit } = this.unitOfWork;
    const range: IdRange = [lowestIdAt(from), lowestIdAt(until)];
    if (table === 'campaign_recipients') {
      while (!this.isStopping && (await deleteFinishedCampaigns(range, BATCH, autocommit)) === BATCH);
    }
    if (table === 'messages') {
      let last: MessageKey | null = null;
      do last = await deleteMessageTraces(range, until, last, BATCH, autocommit);
      while (!this.isStopping && last !== null);
    }
  }
}

const isBegun = ({ state }: KnownPartition): boolean => state !== 'attached';
