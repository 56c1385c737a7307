import pg from 'pg';
import { DatabaseUnavailable } from './database-unavailable.js';
import { CLIENT_MARGIN_MS } from './deadlines.js';
import { inTicks, silenceWatch, type WatchedConnection } from './silence-watch.js';

/** How a {@link WatchedClient} differs from any other. */
export interface WatchedClientConfig extends pg.ClientConfig {
  /** Milliseconds that the server works on a statement at most; absent, nothing is watched. */
  readonly statementMs?: number;
}

/** Deadlines by the SQLSTATE with which the server says that one is over. */
const DEADLINES: Readonly<Record<string, string>> = { '57014': 'statement', '55P03': 'lock', '25P03': 'idle' };

/** What the server ended because of a deadline, since the process began. */
export const statementsEnded = new Map(Object.values(DEADLINES).map((deadline) => [deadline, 0]));

function noteEnded({ code }: { readonly code?: string }): void {
  const deadline = DEADLINES[code ?? ''];
  if (deadline !== undefined) statementsEnded.set(deadline, (statementsEnded.get(deadline) ?? 0) + 1);
}

/** How long a server may take to say goodbye. */
const LEAVE_TICKS = inTicks(1000);

/**
 * A connection that does not wait for ever: when the server has not answered a query within the deadline, the socket is
 * destroyed and the query rejects with {@link DatabaseUnavailable}. That goes for everything that is sent, BEGIN, COMMIT
 * and ROLLBACK too.
 */
export class WatchedClient extends pg.Client {
  private readonly watched: WatchedState | null;

  constructor(config?: string | WatchedClientConfig) {
    super(config);
    // A connection may break between two statements; the next one rejects. Without a listener the process would end.
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

  /** How long the server works on a statement from now on, milliseconds; null: as long as usual. */
  allow(statementMs: number | null): void {
    this.watched?.allow(statementMs);
  }
}

/** What the watch needs to know of one client. */
class WatchedState implements WatchedConnection {
  readonly address: string;
  waitingSince: number | null = null;
  answeredAt = 0;
  isLeaving = false;
  private patienceMs: number;
  /** Queries whose answer has yet to come. */
  private pending = 0;

  constructor(
    private readonly client: pg.Client,
    private readonly statementMs: number,
  ) {
    this.address = `${client.host}:${client.port}`;
    this.patienceMs = statementMs + CLIENT_MARGIN_MS;
    // Before pg's own listener, which may send the next query.
    client.connection.on('readyForQuery', () => this.answered());
    client.connection.on('errorMessage', noteEnded);
    client.on('drain', () => this.drained());
    // The pool limits the time for a connection to open; from then on it is watched.
    (client as NodeJS.EventEmitter).once('connect', () => silenceWatch.add(this));
    client.once('end', () => silenceWatch.remove(this));
  }

  get deadline(): number {
    return this.isLeaving ? LEAVE_TICKS : inTicks(this.patienceMs);
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
    this.patienceMs = (statementMs ?? this.statementMs) + CLIENT_MARGIN_MS;
  }

  destroy(reason: 'deadline' | 'suspect'): void {
    const message =
      reason === 'deadline'
        ? `the database did not answer within ${this.patienceMs / 1000} s`
        : 'the connection to the database was closed, because others had fallen silent';
    this.client.connection.stream.destroy(new DatabaseUnavailable(message));
  }

  private answered(): void {
    this.answeredAt = silenceWatch.now;
    this.pending = Math.max(0, this.pending - 1);
    if (!this.isLeaving) this.waitingSince = this.pending === 0 ? null : silenceWatch.now;
  }

  /** Also after a query that failed before it was sent. */
  private drained(): void {
    this.pending = 0;
    if (!this.isLeaving) this.waitingSince = null;
  }
}
