import type { Pool, PoolClient, QueryResult } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { AccountTurns } from './batching/account-turns.js';
import { type Connections, READ_TURNS, WRITE_TURNS } from './connections/connections.js';
import { BACKGROUND_DEADLINES, type Deadlines, localDeadlines, REQUEST_DEADLINES } from './connections/deadlines.js';
import { WatchedClient } from './connections/watched-client.js';
import { managerOver, poolOf, runnerOver } from './manager-over.js';
import { withPartitions } from './schema/partitions.js';
import { camelCased } from './sql/camel-case.js';
import { encodeParameters } from './sql/statement-parameters.js';

type Parameters = readonly unknown[];

/**
 * Where a query runs: inside a transaction, or on its own. Query files take it as their last argument, so that the
 * service alone decides what commits together.
 */
export interface Tx {
  /** The rows that `sql` returns, its columns in camelCase: `account_id` is read as `accountId`. */
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

/** Runs each statement on its own, committing at once; one that finds no partition for a row makes it and is repeated. */
export class AutocommitTx extends ConnectionTx {
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

/** How a transaction differs from the usual one. */
export interface TransactionOptions {
  /** Milliseconds that one of its statements may take, where that is more than usual: it writes very many rows. */
  readonly statementMs?: number;
}

/** Runs work in one transaction: committed when it resolves, rolled back when it throws. */
type Transaction = <T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions) => Promise<T>;

/** The statements and transactions of one account, each of which waits its turn. */
export class AccountWrites extends ConnectionTx {
  constructor(
    connection: Connection,
    manager: EntityManager,
    /** As {@link UnitOfWork.transaction}. */
    readonly transaction: Transaction,
  ) {
    super(connection, manager);
  }
}

/** The connections of a unit of work that are not those of the data source. */
interface OwnConnections {
  readonly pool: Pool;
  readonly deadlines: Deadlines;
}

/** Statements of transactions work on sets: with the parameters of one call in view, the planner takes a range of new ids,
 * which lie beyond its statistics, for a single row. */
const GENERIC_PLANS = 'SET LOCAL plan_cache_mode = force_generic_plan';

/** Owns transactions: services open them here, and nothing else does. What is done for an account goes through {@link writes}. */
export class UnitOfWork {
  /** Runs each statement on its own, committing at once. */
  readonly autocommit: Tx;
  /** What every request needs (keys, the configuration epoch, health), never anything that can be slow. */
  readonly control: Tx;
  readonly pool: Pool;
  private readonly readsPool: Pool;
  private readonly readTurns: AccountTurns;
  private readonly writeTurns: AccountTurns;
  /** What each transaction sets for itself, as sessions behind a pooler belong to nobody. */
  private readonly localDeadlines: Deadlines | null;

  /**
   * @param connections those of the process; without them everything runs on the data source's own
   * @param own run {@link autocommit} and {@link transaction} instead of the data source's
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
    this.autocommit = new AutocommitTx(this.pool, manager);
    this.control = new ConnectionTx(control, managerOver(dataSource, control));
  }

  /**
   * Reads for a caller who waits: lists, searches, exports. Few of one account run at once, the others wait their turn.
   * Each statement runs on its own, and may reject with `DatabaseUnavailable`.
   */
  reads(accountId: string): Tx {
    const connection: Connection = {
      query: (sql, parameters) => this.readTurns.run(accountId, () => this.readsPool.query(sql, parameters)),
    };
    return new ConnectionTx(connection, managerOver(this.dataSource, connection));
  }

  /**
   * Writes for a caller who waits, and reads that they depend on: few of one account are at work at once, so that a lock in
   * their way costs the others no connection. They may reject with `DatabaseUnavailable`. Within a transaction use that
   * one's `tx`: it has its turn already.
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

  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. No network or Redis call
   * belongs inside. When a row finds no partition, that is made and `work` runs again from the start.
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
      // In one round trip with its settings. TypeORM is told, so that it begins none of its own within.
      Object.assign(runner, { isTransactionActive: true });
      await client.query(`START TRANSACTION; ${this.settingsOf(options)}`);
      const result = await work(new ConnectionTx(client as unknown as Connection, runner.manager));
      await client.query('COMMIT');
      isBroken = false;
      return result;
    } catch (error) {
      isBroken = !(await succeeds(client.query('ROLLBACK')));
      throw error;
    } finally {
      allow(client, null);
      // A connection whose transaction may still be open serves nobody else.
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

/** The unit of work of what runs without a caller: sweeps, the relay, retention. */
export class BackgroundUnitOfWork extends UnitOfWork {
  constructor(dataSource: DataSource, connections?: Connections) {
    super(dataSource, connections, connections && { pool: connections.background, deadlines: BACKGROUND_DEADLINES });
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
