import type { Socket } from 'node:net';
import { buildConnector, Client, type Dispatcher } from 'undici';
import { AnsweredConnection, type Carried, type CarryingConnection } from './answered-connection.js';
import { ConnectionRace, type ConnectionStage } from './connection-race.js';
import type { EgressGuard, EgressPolicy } from './egress-guard.js';
import type { Carrier, Exchange } from './exchange.js';
import { bareHost, portOf } from './url-rules.js';

/** Milliseconds for which the address that worked is tried first. */
const PREFERRED_MS = 10 * 60_000;
/** Origins whose addresses are remembered. */
const MAX_ORIGINS = 10_000;

/** The options of a request to a {@link GuardedClient}. */
export interface ExchangeDispatch extends Dispatcher.DispatchOptions {
  readonly exchange: Exchange;
}

/** What opens a connection. */
interface Opening {
  readonly destination: buildConnector.Options;
  readonly onEnd: buildConnector.Callback;
}

/**
 * A client of a pool: one connection at a time, and one request on it. undici tells nobody which request a connection is
 * opened for, or which connection a request is written to; this knows both, since a pool gives it one request at a time.
 */
export class GuardedClient extends Client implements Carrier {
  private exchange: Exchange | null = null;
  private race: ConnectionRace | null = null;
  private connection: AnsweredConnection;

  constructor(origin: URL, options: Client.Options, connector: GuardedConnector) {
    super(origin, {
      ...options,
      connect: (destination, callback) => this.open(connector, { destination, onEnd: callback }),
    });
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.exchange = (options as ExchangeDispatch).exchange;
    this.exchange.onTurn(this);
    return super.dispatch(options, handler);
  }

  get stage(): ConnectionStage | null {
    return this.race?.stage ?? null;
  }

  carry(request: Carried): CarryingConnection {
    this.connection.carry(request);
    return this.connection;
  }

  abandon(error: unknown): void {
    this.race?.end(error);
  }

  private open(connector: GuardedConnector, { destination, onEnd }: Opening): void {
    // It waited for its turn for too long, or was given up while its connection was closed.
    if (this.exchange?.isOver === true) {
      queueMicrotask(() => onEnd(new Error('not needed any more'), null));
      return;
    }
    this.race = connector.open(destination, (...outcome) => {
      this.race = null;
      if (outcome[0] === null) this.connection = new AnsweredConnection(outcome[1]);
      onEnd(...outcome);
    });
  }
}

/**
 * Opens the connections of the egress client, only to addresses that the guard admits: it is the guard that tells the
 * addresses, and nothing else is looked up.
 */
export class GuardedConnector {
  private readonly secure = buildConnector({ timeout: 0 });
  /** The addresses that worked of hosts with several, by origin; the most recent last. */
  private readonly worked = new Map<string, { readonly address: string; readonly until: number }>();

  constructor(
    private readonly guard: EgressGuard,
    private readonly policy: EgressPolicy,
  ) {}

  /** @param onEnd called once, and later */
  open(destination: buildConnector.Options, onEnd: buildConnector.Callback): ConnectionRace {
    const hostname = bareHost(destination.hostname);
    const scope = this.guard.scopeOf(destination, this.policy);
    const origin = `${destination.protocol}//${hostname}:${destination.port}`;
    const secure = (httpSocket: Socket, opened: buildConnector.Callback) =>
      this.secure({ ...destination, hostname, httpSocket }, opened);
    return new ConnectionRace({
      port: portOf(destination),
      preferred: this.preferred(origin),
      follow: (onChange) => this.guard.follow(hostname, scope, onChange),
      secure: destination.protocol === 'https:' ? secure : null,
      onEnd: (error, socket, address) => {
        if (address !== null) this.remember(origin, address);
        // undici must not hear of a failure before it has been given the race.
        queueMicrotask(() => (socket === null ? onEnd(error as Error, null) : onEnd(null, socket)));
      },
    });
  }

  private preferred(origin: string): string | undefined {
    const worked = this.worked.get(origin);
    return worked === undefined || worked.until < performance.now() ? undefined : worked.address;
  }

  private remember(origin: string, address: string): void {
    this.worked.delete(origin);
    const now = performance.now();
    this.worked.set(origin, { address, until: now + PREFERRED_MS });
    for (const [oldest, { until }] of this.worked) {
      if (this.worked.size <= MAX_ORIGINS && now < until) break;
      this.worked.delete(oldest);
    }
  }
}
