import pg from 'pg';
import { DatabaseUnavailable } from './database-unavailable.js';
import { MAX_CONNECT_MS } from './deadlines.js';
import { PreparingClient, type PreparingClientConfig } from './preparing-client.js';

export interface BoundedPoolConfig extends PreparingClientConfig, pg.PoolConfig {
  readonly max: number;
  readonly statementMs?: number;
  /** A statement for each new connection. */
  readonly greeting?: string;
}

/** Maximum waiting statements per connection; at a few milliseconds each, they are served in time. */
const MAX_WAITING_PER_CONNECTION = 100;

/** The callback of {@link BoundedPool.connect}. */
export type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** A connection pool with a limit on how many callers wait, each for no longer than {@link MAX_CONNECT_MS}. */
export class BoundedPool extends pg.Pool {
  private readonly maxWaiting: number;
  /** Number of refused callers since the process started: too many waited, or no connection became free in time. */
  refusals = 0;

  private noteWait: ((seconds: number) => void) | null = null;

  constructor(config: BoundedPoolConfig) {
    super({
      connectionTimeoutMillis: MAX_CONNECT_MS,
      keepAlive: true,
      Client: PreparingClient,
      ...(config.greeting === undefined ? {} : { onConnect: greetingWith(config.greeting) }),
      ...config,
    } as pg.PoolConfig);
    this.maxWaiting = config.max * MAX_WAITING_PER_CONNECTION;
    // The pool replaces an idle connection that breaks; without a listener the process would crash.
    this.on('error', () => undefined);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<pg.PoolClient> | undefined {
    const since = this.idleCount > this.waitingCount ? null : performance.now();
    if (connected !== undefined) {
      if (this.isCrowded) connected(this.refuse(tooMany()), undefined, () => undefined);
      else super.connect((error, client, done) => connected(this.waited(since, error), client, done));
      return undefined;
    }
    if (this.isCrowded) return Promise.reject(this.refuse(tooMany()));
    return super.connect().then(
      (client) => {
        this.waited(since);
        return client;
      },
      (error: Error) => {
        throw this.waited(since, error);
      },
    );
  }

  /** Calls `observer` with the seconds of each wait for a connection when none was free. */
  observeWaits(observer: (seconds: number) => void): void {
    this.noteWait = observer;
  }

  private waited(since: number | null, error?: Error): Error | undefined {
    if (since !== null) this.noteWait?.((performance.now() - since) / 1000);
    return error && this.explained(error);
  }

  private get isCrowded(): boolean {
    return this.waitingCount >= this.maxWaiting;
  }

  private explained(error: Error): Error {
    return TIMEOUTS.has(error.message) ? this.refuse(tooLate(error)) : error;
  }

  private refuse(error: DatabaseUnavailable): DatabaseUnavailable {
    this.refusals += 1;
    return error;
  }
}

const greetingWith =
  (statement: string) =>
  async (client: pg.ClientBase): Promise<void> => {
    await client.query(statement);
  };

/** pg's messages for a timeout. */
const TIMEOUTS: ReadonlySet<string> = new Set([
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
]);

const tooMany = (): DatabaseUnavailable =>
  new DatabaseUnavailable('too many requests are waiting for a database connection');
const tooLate = (cause: Error): DatabaseUnavailable =>
  new DatabaseUnavailable(`no database connection became free within ${MAX_CONNECT_MS / 1000} s`, { cause });
