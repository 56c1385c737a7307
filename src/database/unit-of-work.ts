import type { OnApplicationShutdown } from '@nestjs/common';
import type { Pool, PoolClient, QueryResult } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { AccountTurns } from './connections/account-turns.js';
import type { BoundedPool } from './connections/bounded-pool.js';
import { type Connections, pipelinePool, READ_TURNS, WRITE_TURNS } from './connections/connections.js';
import {
  BACKGROUND_DEADLINES,
  type Deadlines,
  localDeadlines,
  PIPELINE_DEADLINES,
  REQUEST_DEADLINES,
} from './connections/deadlines.js';
import { managerOver, poolOf, runnerOver } from './connections/manager-over.js';
import { WatchedClient } from './connections/watched-client.js';
import { withPartitions } from './schema/partitions.js';
import { camelCased } from './sql/camel-case.js';
import { encodeParameters } from './sql/statement-parameters.js';

type Parameters = readonly unknown[];

/**
 * Runs queries, inside a transaction or each on its own. Query functions take it as their last argument, so that only
 * the service decides what commits together.
 */
export interface Database {
  /** The rows that `sql` returns, with columns in camelCase (`account_id` becomes `accountId`). */
  rows<Row>(sql: string, parameters?: Parameters): Promise<Row[]>;
  /** The first row, or null. */
  row<Row>(sql: string, parameters?: Parameters): Promise<Row | null>;
  /** The number of rows that `sql` changed. */
  affected(sql: string, parameters?: Parameters): Promise<number>;
  /** TypeORM on the same connection, for plain records. */
  readonly manager: EntityManager;
}

/** A transaction: its statements commit together. Whoever may run outside of one takes a {@link Database}. */
export type Tx = Database;

/** A pool or a checked-out connection. */
export interface Connection {
  query(sql: string, parameters?: unknown[]): Promise<QueryResult>;
}

/** Runs statements on a pool or on one connection of it. */
export class ConnectionDatabase implements Database {
  constructor(
    protected readonly connection: Connection,
    readonly manager: EntityManager,
  ) {}

  async rows<Row>(sql: string, parameters: Parameters = []): Promise<Row[]> {
    return camelCased<Row>(await this.run(sql, parameters));
  }

  async row<Row>(sql: string, parameters: Parameters = []): Promise<Row | null> {
    return (await this.rows<Row>(sql, parameters))[0] ?? null;
  }

  async affected(sql: string, parameters: Parameters = []): Promise<number> {
    return (await this.run(sql, parameters)).rowCount ?? 0;
  }

  protected run(sql: string, parameters: Parameters): Promise<QueryResult> {
    return this.connection.query(sql, encodeParameters(sql, parameters));
  }
}

/** One transaction, and what is to run at its end. */
export class TransactionTx extends ConnectionDatabase {
  private readonly last: (() => Promise<void>)[] = [];

  /** Runs `work` when all other work has succeeded, before the commit. */
  atEnd(work: () => Promise<void>): void {
    this.last.push(work);
  }

  async end(): Promise<void> {
    for (const work of this.last) await work();
  }

  /** Sends statements as they are, without parameters. */
  send(sql: string): Promise<QueryResult | QueryResult[]> {
    return this.connection.query(sql);
  }

  /** The same transaction behind `connection`, which decides what of it a part of the work may do. */
  behind<Outer extends Connection>(connection: (inner: Connection) => Outer): [Outer, EntityManager] {
    const outer = connection(this.connection);
    const runner = runnerOver(this.manager.dataSource, outer);
    // Keeps TypeORM from starting a nested transaction.
    Object.assign(runner, { isTransactionActive: true });
    return [outer, runner.manager];
  }
}

/** Commits each statement by itself; creates missing partitions and retries. */
export class AutocommitDatabase extends ConnectionDatabase {
  constructor(
    private readonly pool: Pool,
    manager: EntityManager,
  ) {
    super(pool, manager);
  }

  protected override run(sql: string, parameters: Parameters): Promise<QueryResult> {
    return withPartitions(this.pool, () => super.run(sql, parameters));
  }
}

export interface TransactionOptions {
  /** Statement timeout in milliseconds, for transactions that write very many rows. */
  readonly statementMs?: number;
}

/** Runs work in one transaction: committed when it resolves, rolled back when it throws. */
type Transaction = <T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions) => Promise<T>;

/** The statements and transactions of one account, each waiting its turn. */
export class AccountWrites extends ConnectionDatabase {
  constructor(
    connection: Connection,
    manager: EntityManager,
    /** As {@link UnitOfWork.transaction}. */
    readonly transaction: Transaction,
  ) {
    super(connection, manager);
  }
}

/** Connections of a unit of work that does not use those of the data source. */
interface OwnConnections {
  readonly pool: Pool;
  readonly deadlines: Deadlines;
}

/**
 * Statements in transactions work on sets. If the planner saw the parameters, it would estimate one row for a range of
 * new ids, because they are beyond its statistics.
 */
const GENERIC_PLANS = 'SET LOCAL plan_cache_mode = force_generic_plan';

/** Owns transactions: only services open them, and only here. Work for an account goes through {@link writes}. */
export class UnitOfWork {
  /** Commits each statement by itself. */
  readonly autocommit: Database;
  /** For what every request needs (API keys, the configuration epoch, health); never for anything slow. */
  readonly control: Database;
  readonly pool: Pool;
  private readonly readsPool: Pool;
  private readonly readTurns: AccountTurns;
  private readonly writeTurns: AccountTurns;
  /** Deadlines that each transaction sets for itself, because sessions behind a pooler are shared. */
  private readonly localDeadlines: Deadlines | null;

  /**
   * @param connections the process's connections; without them, everything runs on the data source's
   * @param own connections that {@link autocommit} and {@link transaction} use instead of the data source's
   */
  constructor(
    private readonly dataSource: DataSource,
    connections?: Connections,
    own?: OwnConnections,
  ) {
    const shared = poolOf(dataSource);
    const control = connections?.control ?? shared;
    this.pool = own?.pool ?? shared;
    this.readsPool = connections?.reads ?? shared;
    this.readTurns = connections?.readTurns ?? new AccountTurns(shared.options.max, READ_TURNS);
    this.writeTurns = connections?.writeTurns ?? new AccountTurns(this.pool.options.max, WRITE_TURNS);
    const isPooled = connections?.arePooled === true && this.pool !== connections.background;
    this.localDeadlines = isPooled ? (own?.deadlines ?? REQUEST_DEADLINES) : null;
    const manager = own === undefined ? dataSource.manager : managerOver(dataSource, this.pool);
    this.autocommit = new AutocommitDatabase(this.pool, manager);
    this.control = new ConnectionDatabase(control, managerOver(dataSource, control));
  }

  /**
   * For reads that a caller is waiting for: lists, searches, exports. Only a few per account run at the same time, the
   * rest wait their turn. Each statement runs on its own, and may reject with `DatabaseUnavailable`.
   */
  reads(accountId: string): Database {
    const connection: Connection = {
      query: (sql, parameters) => this.readTurns.run(accountId, () => this.readsPool.query(sql, parameters)),
    };
    return new ConnectionDatabase(connection, managerOver(this.dataSource, connection));
  }

  /**
   * For writes that a caller is waiting for, and the reads that they depend on. Only a few per account run at the same
   * time, so that an account waiting for a lock does not use up connections. They may reject with
   * `DatabaseUnavailable`. Inside a transaction, use its `tx`, which already has its turn.
   */
  writes(accountId: string): AccountWrites {
    const inTurn = <T>(work: () => Promise<T>): Promise<T> => this.writeTurns.run(accountId, work);
    const connection: Connection = {
      query: (sql, parameters) => inTurn(() => withPartitions(this.pool, () => this.pool.query(sql, parameters))),
    };
    return new AccountWrites(connection, managerOver(this.dataSource, connection), (work, options) =>
      inTurn(() => this.transaction(work, options)),
    );
  }

  /** Keeps the last connections for writes of other accounts, for a while: one of this account has waited long. */
  yieldTurns(accountId: string): void {
    this.writeTurns.markBusy(accountId);
  }

  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. Don't call the network or
   * Redis inside. When a row has no partition, it is created and `work` runs again from the start.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return withPartitions(this.pool, () => this.transactionOnce(work, options));
  }

  private async transactionOnce<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions): Promise<T> {
    const { statementMs } = options;
    const client = await this.pool.connect();
    const runner = runnerOver(this.dataSource, client);
    let isBroken = true;
    try {
      allow(client, statementMs ?? null);
      // One round trip for START and settings. The flag keeps TypeORM from starting a nested transaction.
      Object.assign(runner, { isTransactionActive: true });
      await client.query(`START TRANSACTION; ${this.settingsOf(options)}`);
      const tx = new TransactionTx(client as unknown as Connection, runner.manager);
      const result = await work(tx);
      await tx.end();
      const { command } = await client.query('COMMIT');
      // The server rolls back instead when a statement failed and `work` went on regardless.
      if (command !== 'COMMIT') throw new Error('a statement of the transaction failed, so nothing was committed');
      isBroken = false;
      return result;
    } catch (error) {
      isBroken = !(await succeeds(client.query('ROLLBACK')));
      throw error;
    } finally {
      allow(client, null);
      // Discard a connection whose transaction may still be open.
      client.release(isBroken);
    }
  }

  private settingsOf({ statementMs }: TransactionOptions): string {
    const settings = [GENERIC_PLANS];
    if (this.localDeadlines !== null) settings.push(localDeadlines(this.localDeadlines));
    if (statementMs !== undefined) settings.push(`SET LOCAL statement_timeout = ${statementMs}`);
    return settings.join('; ');
  }
}

/** The unit of work for background work: sweeps, the outbox relay, retention. */
export class BackgroundUnitOfWork extends UnitOfWork {
  constructor(dataSource: DataSource, connections?: Connections) {
    super(dataSource, connections, connections && { pool: connections.background, deadlines: BACKGROUND_DEADLINES });
  }
}

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

function allow(client: PoolClient, statementMs: number | null): void {
  if (client instanceof WatchedClient) client.allow(statementMs);
}

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );
