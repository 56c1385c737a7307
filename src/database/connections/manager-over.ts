import type { Pool } from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** A pool or a checked-out connection. */
export interface Queryable {
  query(sql: string, parameters?: unknown[]): Promise<unknown>;
}

/** The pool of a connected data source. */
export const poolOf = (dataSource: DataSource): Pool => (dataSource.driver as PostgresDriver).master as Pool;

/** A TypeORM query runner on an existing connection, which the caller must close. */
export function runnerOver(dataSource: DataSource, connection: Queryable): QueryRunner {
  const runner = dataSource.createQueryRunner();
  runner.connect = () => Promise.resolve(connection);
  return runner;
}

/**
 * An entity manager on another connection than the data source's. On a pool, each statement may run on a different
 * connection, so multi-statement operations such as `save` do not work.
 */
export const managerOver = (dataSource: DataSource, connection: Queryable): EntityManager =>
  dataSource.createEntityManager(runnerOver(dataSource, connection));
