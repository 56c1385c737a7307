import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { pipelineOptions } from './data-source.js';
import { ConnectionTx, type Tx } from './unit-of-work.js';

/** As many as there are batches at once: four each of limits, intents of two kinds and outcomes, two of reports. */
const CONNECTIONS = 18;

/**
 * Runs the few statements through which every send and every report goes, in batches of any size. They have connections
 * of their own, so that they never queue behind a slow read, and there each of them is planned once: planning for the
 * sizes of one batch costs as much as running it.
 */
@Injectable()
export class Pipeline implements OnApplicationShutdown {
  private readonly pool: pg.Pool;
  /** Each statement commits by itself. */
  readonly tx: Tx;

  constructor(@Inject(DataSource) dataSource: DataSource) {
    const { url = '', applicationName = 'parley' } = dataSource.options as PostgresDataSourceOptions;
    this.pool = new pg.Pool(pipelineOptions({ url, poolSize: CONNECTIONS, applicationName }));
    // An idle connection that breaks is replaced by the pool; without a listener the process would end.
    this.pool.on('error', () => undefined);
    this.tx = new ConnectionTx(this.pool, dataSource.manager);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
