import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Environment } from '../../config/environment.js';
import { AccountTurns, type TurnRules } from './account-turns.js';
import type { BoundedPool } from './bounded-pool.js';
import { createPool, type DatabaseOptions } from './data-source.js';
import { BACKGROUND_DEADLINES, CONTROL_DEADLINES, PIPELINE_DEADLINES, REQUEST_DEADLINES } from './deadlines.js';

type AccessSettings = Pick<Environment, 'databaseUrl' | 'databaseDirectUrl' | 'databaseIsPooled' | 'connections'>;

/** A burst of searches by one account uses at most half a CPU. */
export const READ_TURNS: TurnRules = { busyBy: 'use', maxRunningBusy: 1, restsWhenBusy: true };
/** On a busy machine all writes are slow; only lock waits take connections from others. */
export const WRITE_TURNS: TurnRules = { busyBy: 'locks', maxRunningBusy: 1, restsWhenBusy: false };

/** Creates a pool on which each statement is planned once per connection, for batches of any size. */
export const pipelinePool = (options: DatabaseOptions): BoundedPool =>
  createPool({
    applicationName: 'parley-pipeline',
    deadlines: PIPELINE_DEADLINES,
    settings: ['plan_cache_mode=force_generic_plan'],
    ...options,
  });

/** Options of the data source whose connections serve request writes. */
export const writesOptions = ({ databaseUrl, databaseIsPooled, connections }: AccessSettings): DatabaseOptions => ({
  url: databaseUrl,
  poolSize: connections.writes,
  deadlines: REQUEST_DEADLINES,
  isPooled: databaseIsPooled,
});

/**
 * The connection pools of one process, one per purpose, so that slow work only delays work of its own kind. The pool
 * for request writes belongs to the data source.
 */
@Injectable()
export class Connections implements OnApplicationShutdown {
  readonly control: BoundedPool;
  readonly reads: BoundedPool;
  readonly pipeline: BoundedPool;
  /** Bypasses the pooler: sweeps hold advisory locks and detach partitions, which requires their own session. */
  readonly background: BoundedPool;
  /** Schedules reads. */
  readonly readTurns: AccountTurns;
  /** Schedules writes. */
  readonly writeTurns: AccountTurns;
  /** Whether all pools except `background` go through a pooler. */
  readonly arePooled: boolean;

  constructor({ connections, databaseUrl, databaseDirectUrl, databaseIsPooled }: AccessSettings) {
    const access = { url: databaseUrl, isPooled: databaseIsPooled };
    this.arePooled = databaseIsPooled;
    this.control = createPool({
      ...access,
      poolSize: connections.control,
      applicationName: 'parley-control',
      deadlines: CONTROL_DEADLINES,
    });
    this.reads = createPool({
      ...access,
      poolSize: connections.reads,
      readsOnly: true,
      applicationName: 'parley-reads',
      deadlines: REQUEST_DEADLINES,
    });
    this.pipeline = pipelinePool({ ...access, poolSize: connections.pipeline });
    this.background = createPool({
      url: databaseDirectUrl,
      poolSize: connections.background,
      applicationName: 'parley-background',
      deadlines: BACKGROUND_DEADLINES,
    });
    this.readTurns = new AccountTurns(connections.reads, READ_TURNS);
    this.writeTurns = new AccountTurns(connections.writes, WRITE_TURNS);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.control, this.reads, this.pipeline, this.background].map((pool) => pool.end()));
  }
}
