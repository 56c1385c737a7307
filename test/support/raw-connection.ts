import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** How long a connection may take on a busy machine, milliseconds. */
const CONNECT_TIMEOUT_MS = 60_000;

/** A client that writes exactly the given bytes over one connection, e.g. incomplete requests. */
export class RawConnection {
  private received = '';
  /** Whether the server has closed the connection. */
  closed = false;
  /** The error that broke it, such as `ECONNRESET`; null if it was closed in order, or is open. */
  error: string | null = null;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk) => {
      this.received += chunk.toString('latin1');
    });
    // A reset also emits `close`.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.error = error.code ?? error.message;
    });
    socket.once('close', () => {
      this.closed = true;
    });
  }

  static async open(baseUrl: string): Promise<RawConnection> {
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
    return new RawConnection(socket);
  }

  /** Writes the head of a request. */
  head(method: string, path: string, headers: Readonly<Record<string, string | number>>): void {
    const lines = Object.entries({ host: 'test', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    this.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  }

  write(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  /** Drops the connection without ending the request. */
  drop(): void {
    this.socket.destroy();
  }

  /** Whether everything written has been handed to the operating system. */
  get flushed(): boolean {
    return this.socket.writableLength === 0;
  }

  /** Status codes of the responses so far, in order. */
  get statuses(): number[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  /** Everything received so far. */
  get text(): string {
    return this.received;
  }
}
