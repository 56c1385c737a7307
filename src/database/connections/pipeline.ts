import type { OnApplicationShutdown } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { UnitOfWork } from '../unit-of-work.js';
import type { BoundedPool } from './bounded-pool.js';
import { type Connections, pipelinePool } from './connections.js';
import { PIPELINE_DEADLINES } from './deadlines.js';

/** Connections of a pipeline that stands alone. */
const OWN_CONNECTIONS = 6;

/**
 * The unit of work of the batches through which every send and every report goes, whatever their size. They have
 * connections of their own, so that they never queue behind a slow read or write, and there each statement is planned
 * once: planning for the sizes of one batch costs as much as running it. As those of all accounts share them, nothing
 * waits long for a lock here.
 */
export class Pipeline extends UnitOfWork implements OnApplicationShutdown {
  private readonly ownPool: BoundedPool | null;

  /** @param connections those of the process; without them it opens its own */
  constructor(dataSource: DataSource, connections?: Connections) {
    const { url = '' } = dataSource.options as PostgresDataSourceOptions;
    const pool = connections?.pipeline ?? pipelinePool({ url, poolSize: OWN_CONNECTIONS });
    super(dataSource, connections, { pool, deadlines: PIPELINE_DEADLINES });
    this.ownPool = connections === undefined ? pool : null;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.ownPool?.end();
  }
}
