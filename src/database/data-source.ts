import pg from 'pg';
import { DataSource, type DataSourceOptions, type EntityTarget } from 'typeorm';
import { MIGRATIONS } from '../../migrations/index.js';
import { BoundedPool, type BoundedPoolConfig } from './connections/bounded-pool.js';
import { type Deadlines, MAX_CONNECT_MS, startupOptions } from './connections/deadlines.js';
import { SnakeNaming } from './sql/snake-naming.js';

/** How to reach the database and how many connections to hold. */
export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly applicationName?: string;
  readonly entities?: readonly EntityTarget<unknown>[];
  /** Absent, statements may take as long as they like. */
  readonly deadlines?: Deadlines;
  /** Whether `url` leads to a transaction-mode pooler, whose sessions belong to nobody. */
  readonly isPooled?: boolean;
  /** More settings of the connection's session, such as `plan_cache_mode=force_generic_plan`. */
  readonly settings?: readonly string[];
}

/** What statements look up is nearly always in memory, or on a disk that has no heads to move. */
const COSTS = 'random_page_cost=1.1';

/** What distinguishes Parley's connections from pg's, whoever opens them. */
function connectionConfig({ deadlines, isPooled = false, settings = [] }: DatabaseOptions): Partial<BoundedPoolConfig> {
  return {
    ownSession: !isPooled,
    ...(deadlines === undefined ? {} : { statementMs: deadlines.statementMs }),
    ...(isPooled ? {} : { options: startupOptions(deadlines ?? null, COSTS, ...settings) }),
  };
}

/**
 * TypeORM's options for Parley's database. Schema changes come from migrations alone (`synchronize` stays off), and
 * statements are prepared per connection.
 */
export function dataSourceOptions(options: DatabaseOptions): DataSourceOptions {
  return {
    type: 'postgres',
    driver: { Pool: BoundedPool, Client: pg.Client, types: pg.types, defaults: pg.defaults },
    url: options.url,
    poolSize: options.poolSize,
    applicationName: options.applicationName ?? 'parley',
    connectTimeoutMS: MAX_CONNECT_MS,
    parseInt8: true,
    entities: [...(options.entities ?? [])] as never,
    migrations: MIGRATIONS,
    migrationsTableName: 'schema_migrations',
    migrationsTransactionMode: 'each',
    namingStrategy: new SnakeNaming(),
    synchronize: false,
    logging: false,
    extra: connectionConfig(options),
  };
}

/** A pool beside that of the data source. */
export const createPool = (options: DatabaseOptions): BoundedPool =>
  new BoundedPool({
    connectionString: options.url,
    max: options.poolSize,
    application_name: options.applicationName ?? 'parley',
    ...connectionConfig(options),
  });

/** A data source that is not connected yet. */
export const createDataSource = (options: DatabaseOptions): DataSource => new DataSource(dataSourceOptions(options));
