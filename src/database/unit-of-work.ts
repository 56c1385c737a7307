import { Inject, Injectable } from '@nestjs/common';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

import { arrayLiteral } from './array-literal.js';

type Parameters = readonly unknown[];

/**
 * Where a query runs: inside a transaction, or on its own. Query files take it as their last argument, so that the
 * service alone decides what commits together.
 */
export interface Tx {
  /** The rows that `sql` returns, columns in snake_case. */
  rows<Row>(sql: string, parameters?: Parameters): Promise<Row[]>;
  /** The first row, or null. */
  row<Row>(sql: string, parameters?: Parameters): Promise<Row | null>;
  /** How many rows `sql` changed. */
  affected(sql: string, parameters?: Parameters): Promise<number>;
  /** TypeORM on the same connection, for plain records. */
  readonly manager: EntityManager;
}

/** What the pool and a checked-out connection have in common. */
interface Connection {
  query(sql: string, parameters?: unknown[]): Promise<QueryResult>;
}

/** Runs statements on a pool or on one connection of it. */
export class ConnectionTx implements Tx {
  constructor(
    private readonly connection: Connection,
    readonly manager: EntityManager,
  ) {}

  async rows<Row>(sql: string, parameters: Parameters = []): Promise<Row[]> {
    return (await this.connection.query(sql, writable(parameters))).rows as Row[];
  }

  async row<Row>(sql: string, parameters: Parameters = []): Promise<Row | null> {
    return (await this.rows<Row>(sql, parameters))[0] ?? null;
  }

  async affected(sql: string, parameters: Parameters = []): Promise<number> {
    return (await this.connection.query(sql, writable(parameters))).rowCount ?? 0;
  }
}

/** Arrays in the form in which they travel. */
const writable = (parameters: Parameters): unknown[] =>
  parameters.map((value) => (Array.isArray(value) ? (arrayLiteral(value) ?? value) : value));

/** Owns transactions: services open them here, and nothing else does. */
@Injectable()
export class UnitOfWork {
  /** Runs each statement on its own, committing at once. For reads and single-statement writes. */
  readonly autocommit: Tx;

  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {
    this.autocommit = new ConnectionTx(this.pool, dataSource.manager);
  }

  /** The process's one application pool. */
  get pool(): Pool {
    return (this.dataSource.driver as PostgresDriver).master as Pool;
  }

  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. No network or Redis call
   * belongs inside.
   */
  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const runner: QueryRunner = this.dataSource.createQueryRunner();
    const client = (await runner.connect()) as PoolClient;
    try {
      await runner.startTransaction();
      const result = await work(new ConnectionTx(client as unknown as Connection, runner.manager));
      await runner.commitTransaction();
      return result;
    } catch (error) {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
  }
}
