import pg from 'pg';
import { DatabaseUnavailable } from './database-unavailable.js';
import { MAX_CONNECT_MS } from './deadlines.js';
import { PreparingClient, type PreparingClientConfig } from './preparing-client.js';

export interface BoundedPoolConfig extends PreparingClientConfig, pg.PoolConfig {
  readonly max: number;
  readonly statementMs?: number;
}

/** Statements that may wait for each connection; at a few milliseconds each they are served in time. */
const MAX_WAITING_PER_CONNECTION = 100;

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** A pool for which nobody waits longer than {@link MAX_CONNECT_MS}, and only so many at once. */
export class BoundedPool extends pg.Pool {
  private readonly maxWaiting: number;
  /** How many were refused a connection since the process began, because too many waited or none came in time. */
  refusals = 0;

  private noteWait: ((seconds: number) => void) | null = null;

  constructor(config: BoundedPoolConfig) {
    super({
      connectionTimeoutMillis: MAX_CONNECT_MS,
      keepAlive: true,
      Client: PreparingClient,
      ...config,
    } as pg.PoolConfig);
    this.maxWaiting = config.max * MAX_WAITING_PER_CONNECTION;
    // An idle connection that breaks is replaced by the pool; without a listener the process would end.
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

  /** Tells of each wait for a connection that was not free at once. */
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

/** How pg words it. */
const TIMEOUTS: ReadonlySet<string> = new Set([
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
]);

const tooMany = (): DatabaseUnavailable => new DatabaseUnavailable('too many requests are waiting for the database');
const tooLate = (cause: Error): DatabaseUnavailable =>
  new DatabaseUnavailable(`no connection to the database came free within ${MAX_CONNECT_MS / 1000} s`, { cause });
