import type { LookupAddress } from 'node:dns';
import { connect, isIPv4, type Socket, type TcpNetConnectOpts } from 'node:net';
import { EgressError, egressFailureOf } from './egress-error.js';
import type { Family, HostAddresses } from './host-resolver.js';

/** Milliseconds before the next address is tried beside those that have not answered yet (RFC 8305, section 5). */
const NEXT_ADDRESS_AFTER_MS = 250;
/**
 * Milliseconds that the addresses of one family wait for those of the other one of the same name, which is to be tried
 * first (RFC 8305, section 3).
 */
const FAMILY_AWAITED_MS = 50;
/** Addresses of each family that are tried: a name can have thousands, and lead to as many connections elsewhere. */
const MAX_ADDRESSES = 8;
/** The most that a socket reads at once, in bytes. */
const READ_BYTES = 64 * 1024;
const KEEP_ALIVE_AFTER_MS = 60_000;

/** What a connection is waiting for: an address of its host, a TCP connection, or the end of the TLS handshake. */
export type ConnectionStage = 'name' | 'connection' | 'handshake';

type Opened = (...outcome: [error: null, socket: Socket] | [error: Error, socket: null]) => void;

/** What a {@link ConnectionRace} opens. */
export interface RaceOptions {
  readonly port: number;
  /** The address that worked lately, which is tried first. */
  readonly preferred: string | undefined;
  /** Follows the addresses of the host; only what it tells is connected to. */
  readonly follow: (onChange: (known: HostAddresses) => void) => () => void;
  /** Opens a TCP connection; Node's own function by default. */
  readonly connect?: typeof connect;
  /** Begins TLS on a connection; null for plain connections. */
  readonly secure: ((socket: Socket, opened: Opened) => void) | null;
  /** Called once. `address` is what it is connected to; null where the host has no other. */
  readonly onEnd: (error: unknown, socket: Socket | null, address: string | null) => void;
}

/**
 * Opens one connection to a host with any number of addresses, as RFC 8305 says: the families alternate, IPv6 first, and
 * the next address is tried beside the others after a quarter of a second, or at once when one fails. The first TCP
 * connection is used; if its TLS handshake fails, the next address is tried. It has no limit of time: whoever waits for
 * it ends it.
 */
export class ConnectionRace {
  private readonly connecting = new Map<Socket, LookupAddress>();
  /** Addresses that are to be tried. */
  private waiting: LookupAddress[] = [];
  /** All addresses that have arrived, except those that are too many. */
  private readonly seen: LookupAddress[] = [];
  private readonly firstFamily: Family;
  private lastFamily = 4;
  private chosen: Socket | null = null;
  private known: HostAddresses = { addresses: [], expected: [], isComplete: false, fault: null };
  /** The failure that came farthest. */
  private failure: EgressError | null = null;
  /** A fault of this machine, such as that it has no descriptor left: it says nothing about the host, which is tried again. */
  private ownFailure: unknown = null;
  private nextTimer: NodeJS.Timeout | undefined;
  private familyTimer: NodeJS.Timeout | undefined;
  private isOver = false;
  private unfollow = (): void => undefined;

  constructor(private readonly options: RaceOptions) {
    this.firstFamily = isIPv4(options.preferred ?? '') ? 4 : 6;
    const unfollow = options.follow((known) => this.onKnown(known));
    if (this.isOver) unfollow();
    else this.unfollow = unfollow;
  }

  get stage(): ConnectionStage {
    if (this.chosen !== null) return 'handshake';
    return this.seen.length > 0 ? 'connection' : 'name';
  }

  /** Gives up. */
  end(error: unknown): void {
    this.finish(error, null, null);
  }

  private onKnown(known: HostAddresses): void {
    if (this.isOver) return;
    this.known = known;
    if (known.fault !== null) {
      if (this.chosen === null) this.end(known.fault);
      return;
    }
    for (const address of known.addresses) {
      const ofFamily = this.seen.filter(({ family }) => family === address.family);
      if (ofFamily.length === MAX_ADDRESSES || ofFamily.some((other) => other.address === address.address)) continue;
      this.seen.push(address);
      this.waiting.push(address);
    }
    if (this.connecting.size > 0 && this.nextTimer !== undefined) return;
    const { firstFamily } = this;
    const isAwaited = known.expected.includes(firstFamily);
    if (!isAwaited || known.addresses.some(({ family }) => family === firstFamily)) this.tryNext();
    else if (this.waiting.length > 0) this.familyTimer ??= setTimeout(() => this.tryNext(), FAMILY_AWAITED_MS);
  }

  /** Tries an address that has not been tried, if there is one. */
  private tryNext(): void {
    clearTimeout(this.nextTimer);
    clearTimeout(this.familyTimer);
    this.nextTimer = undefined;
    if (this.chosen !== null) return;
    if (this.known.fault !== null) {
      this.end(this.known.fault);
      return;
    }
    const address = this.takeNext();
    const failure = this.ownFailure ?? this.failure;
    if (address !== undefined) this.tryAddress(address);
    else if (this.connecting.size === 0 && this.known.expected.length === 0 && failure !== null) this.end(failure);
  }

  private takeNext(): LookupAddress | undefined {
    const { waiting } = this;
    const preferred = waiting.findIndex(({ address }) => address === this.options.preferred);
    const other = waiting.findIndex(({ family }) => family !== this.lastFamily);
    const [next] = waiting.splice(Math.max(0, preferred >= 0 ? preferred : other), 1);
    return next;
  }

  private tryAddress(address: LookupAddress): void {
    this.lastFamily = address.family;
    const socket = (this.options.connect ?? connect)({
      host: address.address,
      port: this.options.port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_AFTER_MS,
      highWaterMark: READ_BYTES,
    } as TcpNetConnectOpts);
    this.connecting.set(socket, address);
    socket.once('connect', () => this.choose(socket, address));
    socket.on('error', (error) => {
      if (!this.connecting.delete(socket)) return;
      const failure = unconnected(error, address);
      const isHungUp = failure instanceof EgressError && failure.kind === 'reset' && this.options.secure !== null;
      this.onFailure(isHungUp ? handshakeFailureOf(error) : failure);
    });
    this.nextTimer = setTimeout(() => this.tryNext(), NEXT_ADDRESS_AFTER_MS);
  }

  private choose(socket: Socket, address: LookupAddress): void {
    if (!this.connecting.delete(socket)) return;
    clearTimeout(this.nextTimer);
    this.nextTimer = undefined;
    // They are tried again if this one turns out to be of no use.
    this.waiting.unshift(...this.connecting.values());
    this.dropConnecting();
    // From now on its errors are told elsewhere, and it may live long.
    socket.removeAllListeners('error').on('error', ignore);
    this.chosen = socket;
    const { secure } = this.options;
    if (secure === null) {
      this.finish(null, socket, address);
      return;
    }
    secure(socket, (...[error, secured]) => {
      if (this.isOver) secured?.destroy();
      else if (error === null) this.finish(null, secured, address);
      else {
        this.chosen = null;
        socket.destroy();
        this.onFailure(handshakeFailureOf(error));
      }
    });
  }

  private onFailure(failure: unknown): void {
    if (!(failure instanceof EgressError)) this.ownFailure ??= failure;
    else if (this.failure === null || rankOf(failure) > rankOf(this.failure)) this.failure = failure;
    this.tryNext();
  }

  private finish(error: unknown, socket: Socket | null, address: LookupAddress | null): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.nextTimer);
    clearTimeout(this.familyTimer);
    this.unfollow();
    this.dropConnecting();
    if (socket === null) this.chosen?.destroy();
    const hasOthers = this.seen.length > 1 || !this.known.isComplete;
    this.options.onEnd(error, socket, hasOthers ? (address?.address ?? null) : null);
  }

  private dropConnecting(): void {
    const sockets = [...this.connecting.keys()];
    this.connecting.clear();
    for (const socket of sockets) socket.destroy();
  }
}

/** Why there is no connection to an address. */
function unconnected(error: Error, { family }: LookupAddress): unknown {
  // That is what a machine says on which IPv6 is switched off.
  const isWithoutIpv6 = family === 6 && codeOf(error) === 'EADDRNOTAVAIL';
  return isWithoutIpv6 ? new EgressError('connect', 'could not be reached', error) : egressFailureOf(error);
}

/** Why a TLS handshake failed. A server that hangs up has not been asked anything yet. */
function handshakeFailureOf(error: Error): unknown {
  const failure = egressFailureOf(error);
  if (!(failure instanceof EgressError) || failure.kind === 'tls') return failure;
  const isHungUp = failure.kind === 'reset';
  const message = isHungUp
    ? 'closed the connection during the TLS handshake'
    : `failed the TLS handshake (${codeOf(error)})`;
  return new EgressError('tls', message, error);
}

const ignore = (): void => undefined;

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown } | undefined)?.code;

/** How far a failed attempt came: it found no way there, it was refused, or it got a connection. */
function rankOf({ kind, cause }: EgressError): number {
  if (kind === 'tls' || kind === 'reset') return 2;
  return codeOf(cause) === 'ECONNREFUSED' ? 1 : 0;
}
