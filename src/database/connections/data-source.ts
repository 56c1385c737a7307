import pg from 'pg';
import {
  DataSource,
  type DataSourceOptions,
  DefaultNamingStrategy,
  type EntityTarget,
  type NamingStrategyInterface,
} from 'typeorm';
import type { MigrationClass } from '../../manifest/room.js';
import { snakeCase } from '../sql/camel-case.js';
import { BoundedPool, type BoundedPoolConfig } from './bounded-pool.js';
import { type Deadlines, MAX_CONNECT_MS, startupOptions } from './deadlines.js';
import { WITHOUT_PRUNING } from './partition-pruning.js';

/** How to reach the database and how many connections to hold. */
export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly applicationName?: string;
  readonly entities?: readonly EntityTarget<unknown>[];
  /** The migrations that may be run or undone, and the table that lists those that ran; none by default. */
  readonly ledger?: { readonly table: string; readonly migrations: readonly MigrationClass[] };
  /** No limits by default. */
  readonly deadlines?: Deadlines;
  /** Whether `url` points to a transaction-mode pooler, whose sessions are shared. */
  readonly isPooled?: boolean;
  /** More session settings, such as `plan_cache_mode=force_generic_plan`. */
  readonly settings?: readonly string[];
  /** Whether nothing is changed or locked on these connections. */
  readonly readsOnly?: boolean;
}

/** Data is nearly always in memory or on an SSD, so random reads cost little more than sequential ones. */
const COSTS = 'random_page_cost=1.1';

/** Names columns like their properties, in snake_case; entities name a column only where it differs beyond that. */
class SnakeNaming extends DefaultNamingStrategy implements NamingStrategyInterface {
  override columnName(property: string, customName: string | undefined): string {
    return customName ?? snakeCase(property);
  }
}

/** Settings of every Parley connection, beyond pg's defaults. */
function connectionConfig(options: DatabaseOptions): Partial<BoundedPoolConfig> {
  const { deadlines, isPooled = false, settings = [], readsOnly = false } = options;
  return {
    ownSession: !isPooled,
    ...(isPooled || readsOnly ? {} : { greeting: WITHOUT_PRUNING }),
    ...(deadlines === undefined ? {} : { statementMs: deadlines.statementMs }),
    ...(isPooled ? {} : { options: startupOptions(deadlines ?? null, COSTS, ...settings) }),
  };
}

/**
 * TypeORM's options for Parley's database. Only migrations change the schema (`synchronize` is off), and statements are
 * prepared per connection.
 */
export function dataSourceOptions(options: DatabaseOptions): DataSourceOptions {
  const { ledger } = options;
  return {
    type: 'postgres',
    driver: { Pool: BoundedPool, Client: pg.Client, types: pg.types, defaults: pg.defaults },
    url: options.url,
    poolSize: options.poolSize,
    applicationName: options.applicationName ?? 'parley',
    connectTimeoutMS: MAX_CONNECT_MS,
    parseInt8: true,
    entities: [...(options.entities ?? [])] as never,
    ...(ledger && { migrations: [...ledger.migrations], migrationsTableName: ledger.table }),
    migrationsTransactionMode: 'each',
    namingStrategy: new SnakeNaming(),
    synchronize: false,
    logging: false,
    extra: connectionConfig(options),
  };
}

/** Creates a pool separate from the data source's. */
export const createPool = (options: DatabaseOptions): BoundedPool =>
  new BoundedPool({
    connectionString: options.url,
    max: options.poolSize,
    application_name: options.applicationName ?? 'parley',
    ...connectionConfig(options),
  });

/** Creates a data source without connecting it. */
export const createDataSource = (options: DatabaseOptions): DataSource => new DataSource(dataSourceOptions(options));
