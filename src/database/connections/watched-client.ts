import pg from 'pg';
import { SQLSTATE } from '../sql/sqlstate.js';
import { DatabaseUnavailable } from './database-unavailable.js';
import { CLIENT_MARGIN_MS } from './deadlines.js';
import { inTicks, silenceWatch, type WatchedConnection } from './silence-watch.js';

export interface WatchedClientConfig extends pg.ClientConfig {
  /** The server's statement timeout, milliseconds; without it, the connection is not watched. */
  readonly statementMs?: number;
}

/** The server's deadlines by the SQLSTATE that reports them. */
const DEADLINES: Readonly<Record<string, string>> = {
  [SQLSTATE.queryCanceled]: 'statement',
  [SQLSTATE.lockNotAvailable]: 'lock',
  [SQLSTATE.idleInTransactionTimeout]: 'idle',
};

/** How often the server enforced each deadline, since the process started. */
export const statementsEnded = new Map(Object.values(DEADLINES).map((deadline) => [deadline, 0]));

function noteEnded({ code }: { readonly code?: string }): void {
  const deadline = DEADLINES[code ?? ''];
  if (deadline !== undefined) statementsEnded.set(deadline, (statementsEnded.get(deadline) ?? 0) + 1);
}

/** How long closing a connection may take. */
const LEAVE_TICKS = inTicks(1000);

/**
 * A connection that does not wait forever: if the server does not respond to a query within the deadline, the socket is
 * destroyed and the query rejects with {@link DatabaseUnavailable}. This includes BEGIN, COMMIT and ROLLBACK.
 */
export class WatchedClient extends pg.Client {
  private readonly watched: WatchedState | null;

  constructor(config?: string | WatchedClientConfig) {
    super(config);
    // A connection may break between statements; the next statement rejects. Without a listener the process
    // would crash.
    this.on('error', () => undefined);
    const statementMs = typeof config === 'object' ? config.statementMs : undefined;
    this.watched = statementMs === undefined ? null : new WatchedState(this, statementMs);
  }

  override query(...args: unknown[]): never {
    this.watched?.sent();
    return Reflect.apply(super.query, this, args) as never;
  }

  override end(...args: unknown[]): never {
    this.watched?.leaving();
    return Reflect.apply(super.end, this, args) as never;
  }

  /** Sets the statement timeout that the watch expects from now on, milliseconds; null restores the default. */
  allow(statementMs: number | null): void {
    this.watched?.allow(statementMs);
  }
}

/** The state of one client for {@link silenceWatch}. */
class WatchedState implements WatchedConnection {
  readonly address: string;
  waitingSince: number | null = null;
  answeredAt = 0;
  isLeaving = false;
  private timeoutMs: number;
  /** Number of queries without a response yet. */
  private pending = 0;

  constructor(
    private readonly client: pg.Client,
    private readonly statementMs: number,
  ) {
    this.address = `${client.host}:${client.port}`;
    this.timeoutMs = statementMs + CLIENT_MARGIN_MS;
    // Must run before pg's own listener, which may send the next query.
    client.connection.on('readyForQuery', this.answered.bind(this));
    client.connection.on('errorMessage', noteEnded);
    client.on('drain', this.drained.bind(this));
    // The pool limits the time to connect; from then on the connection is watched.
    (client as NodeJS.EventEmitter).once('connect', () => silenceWatch.add(this));
    client.once('end', () => silenceWatch.remove(this));
  }

  get deadline(): number {
    return this.isLeaving ? LEAVE_TICKS : inTicks(this.timeoutMs);
  }

  sent(): void {
    this.pending += 1;
    this.waitingSince ??= silenceWatch.now;
  }

  leaving(): void {
    this.isLeaving = true;
    this.waitingSince ??= silenceWatch.now;
  }

  allow(statementMs: number | null): void {
    this.timeoutMs = (statementMs ?? this.statementMs) + CLIENT_MARGIN_MS;
  }

  destroy(reason: 'deadline' | 'suspect'): void {
    const message =
      reason === 'deadline'
        ? `the database did not answer within ${this.timeoutMs / 1000} s`
        : 'the database connection was closed because others had stopped responding';
    this.client.connection.stream.destroy(new DatabaseUnavailable(message));
  }

  private answered(): void {
    this.answeredAt = silenceWatch.now;
    this.pending = Math.max(0, this.pending - 1);
    if (!this.isLeaving) this.waitingSince = this.pending === 0 ? null : silenceWatch.now;
  }

  /** Also called after a query that failed before it was sent. */
  private drained(): void {
    this.pending = 0;
    if (!this.isLeaving) this.waitingSince = null;
  }
}
