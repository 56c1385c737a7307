import type { OnApplicationShutdown } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { UnitOfWork } from '../unit-of-work.js';
import type { BoundedPool } from './bounded-pool.js';
import { type Connections, pipelinePool } from './connections.js';
import { PIPELINE_DEADLINES } from './deadlines.js';

/** Connections of a pipeline that opens its own pool. */
const OWN_CONNECTIONS = 6;

/**
 * The unit of work of the batches that every send and every status report goes through. It has its own connections, so
 * that batches never queue behind a slow read or write. Statements are planned once per connection, because planning
 * for each batch size would cost as much as running it. All accounts share the batches, so lock timeouts are short.
 */
export class Pipeline extends UnitOfWork implements OnApplicationShutdown {
  private readonly ownPool: BoundedPool | null;

  /** @param connections the process's connections; without them it opens its own */
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
