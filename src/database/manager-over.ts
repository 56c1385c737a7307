import type { Pool } from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** What a pool and a checked-out connection have in common. */
export interface Queryable {
  query(sql: string, parameters?: unknown[]): Promise<unknown>;
}

/** The pool of a data source that is connected. */
export const poolOf = (dataSource: DataSource): Pool => (dataSource.driver as PostgresDriver).master as Pool;

/** TypeORM's way of running queries, on a connection that it did not open. Whoever opened that closes it. */
export function runnerOver(dataSource: DataSource, connection: Queryable): QueryRunner {
  const runner = dataSource.createQueryRunner();
  runner.connect = () => Promise.resolve(connection);
  return runner;
}

/**
 * TypeORM's records over another connection than the data source's own. Over a pool each statement may run on another
 * connection, so what takes several statements, such as `save`, does not work there.
 */
export const managerOver = (dataSource: DataSource, connection: Queryable): EntityManager =>
  dataSource.createEntityManager(runnerOver(dataSource, connection));
