import type { PoolConfig } from 'pg';
import { DataSource, type DataSourceOptions, type EntityTarget } from 'typeorm';
import { MIGRATIONS } from '../../migrations/index.js';
import { PreparingClient } from './preparing-client.js';

/** How to reach the database and how many connections to hold. */
export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly applicationName?: string;
  readonly entities?: readonly EntityTarget<unknown>[];
}

const CONNECT_TIMEOUT_MS = 5000;
/**
 * Every statement of ours has an index to go by. A connection keeps the plan that it made when a table was still small,
 * and reading a small table whole looks cheaper than its index: without this, a new installation would read its growing
 * tables whole, statement by statement, until statistics catch up.
 */
const PLANNER_OPTIONS = '-c enable_seqscan=off';

/**
 * TypeORM's options for Parley's database. Schema changes come from migrations alone (`synchronize` stays off), and
 * statements are prepared per connection.
 */
export function dataSourceOptions(options: DatabaseOptions): DataSourceOptions {
  return {
    type: 'postgres',
    url: options.url,
    poolSize: options.poolSize,
    applicationName: options.applicationName ?? 'parley',
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    parseInt8: true,
    entities: [...(options.entities ?? [])] as never,
    migrations: MIGRATIONS,
    migrationsTableName: 'schema_migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    logging: false,
    extra: { Client: PreparingClient, keepAlive: true, options: PLANNER_OPTIONS },
  };
}

/** The pool of {@link Pipeline}: as above, but a statement is planned once, for batches of any size. */
export function pipelineOptions({ url, poolSize, applicationName }: DatabaseOptions): PoolConfig {
  return {
    connectionString: url,
    max: poolSize,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    // Nor is a table ever worth reading in order for the rows of one batch.
    options: `${PLANNER_OPTIONS} -c plan_cache_mode=force_generic_plan -c enable_mergejoin=off`,
    Client: PreparingClient,
  };
}

/** A data source that is not connected yet. */
export const createDataSource = (options: DatabaseOptions): DataSource => new DataSource(dataSourceOptions(options));
