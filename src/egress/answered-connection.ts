import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/** The bytes of interim answers that are skipped before one final answer; beyond them, the parser refuses the next. */
const MAX_INTERIM_BYTES = 64 * 1024;
/** `HTTP/1.1 100`: as much as shows what kind of answer it is. */
const STATUS_START = 12;
/** An informational answer. 101 is none: nobody asked to switch protocols. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d/;
/** What less than that may still become one. */
const MAYBE_INTERIM = /^H?T?T?P?\/?1?\.?[01]? ?1?\d?$/;

const NOTHING = Buffer.alloc(0);

/** What is known of the connection that carries a request. */
export interface CarryingConnection {
  /** Whether it had carried a request before, and has not sent a byte of the answer to this one. */
  readonly isStale: boolean;
}

/** Is told which connection carries it, and how much that receives. */
export interface Carried {
  onConnection(connection: CarryingConnection): void;
  /** So many bytes have arrived since, whatever they are. It may end the connection. */
  onReceived(bytes: number): void;
}

/**
 * Ties the requests of one client to its sockets. undici tells a request that it starts and then writes it to the
 * socket, without a pause in between, but it tells nobody which socket that is.
 */
export class ConnectionWatch {
  private starting: Carried | null = null;

  /** `request` is about to be written. */
  start(request: Carried): void {
    this.starting = request;
  }

  /** Watches every socket that `connect` opens. */
  watch(connect: buildConnector.connector): buildConnector.connector {
    return (options, callback) =>
      connect(options, (...outcome) => {
        if (outcome[0] === null) this.follow(outcome[1]);
        callback(...outcome);
      });
  }

  private follow(socket: Socket): void {
    // The socket's own count: bytes that were put back when the parser was paused are read, and seen here, again.
    const connection = new AnsweredConnection(() => socket.bytesRead);
    const { write, read } = socket;
    socket.write = (...written: unknown[]) => {
      if (this.starting !== null) connection.carry(this.starting);
      this.starting = null;
      return Reflect.apply(write, socket, written) as boolean;
    };
    socket.read = (size?: number) => connection.next(() => (socket.destroyed ? null : read.call(socket, size)));
  }
}

/**
 * One socket as HTTP sees it. It skips informational answers (1xx), which may come before every final answer but which
 * undici takes for a fault, and notes whether the answer to the request under way has begun.
 */
class AnsweredConnection implements CarryingConnection {
  private carried: Carried | null = null;
  private requests = 0;
  private hasAnswer = false;
  /** Bytes at the start of an answer that do not show yet whether it is final; null once that is known. */
  private start: Buffer | null = null;
  private skipped = 0;
  private receivedBefore = 0;

  /** @param received all bytes that have ever arrived */
  constructor(private readonly received: () => number) {}

  get isStale(): boolean {
    return this.requests > 1 && !this.hasAnswer;
  }

  carry(request: Carried): void {
    this.carried = request;
    this.requests += 1;
    this.hasAnswer = false;
    this.start = NOTHING;
    this.skipped = 0;
    this.receivedBefore = this.received();
    request.onConnection(this);
  }

  /** The next bytes of final answers; null when there are none yet. */
  next(read: () => Buffer | null): Buffer | null {
    for (let chunk = read(); chunk !== null; chunk = read()) {
      this.hasAnswer = true;
      this.carried?.onReceived(this.received() - this.receivedBefore);
      if (this.start === null) return chunk;
      const final = this.skipInterim(this.start.length === 0 ? chunk : Buffer.concat([this.start, chunk]));
      if (final !== null) return final;
    }
    return null;
  }

  private skipInterim(bytes: Buffer): Buffer | null {
    let rest = bytes;
    while (rest.length >= STATUS_START && this.skipped < MAX_INTERIM_BYTES) {
      if (!INTERIM.test(rest.toString('latin1', 0, STATUS_START))) break;
      const end = rest.indexOf('\r\n\r\n');
      if (end === -1) return this.wait(rest);
      rest = rest.subarray(end + 4);
      this.skipped += end + 4;
    }
    const isShort = rest.length < STATUS_START && MAYBE_INTERIM.test(rest.toString('latin1'));
    if (isShort && this.skipped < MAX_INTERIM_BYTES) return this.wait(rest);
    this.start = null;
    return rest;
  }

  /** Keeps the beginning of an answer until more of it arrives. A long one is left to the parser, which refuses it. */
  private wait(bytes: Buffer): Buffer | null {
    this.start = bytes.length > MAX_INTERIM_BYTES ? null : Buffer.from(bytes);
    return this.start === null ? bytes : null;
  }
}
