import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** What a server does with each connection. */
export type Serve = (socket: Socket) => void;

/** Serves connections to several addresses at one port, and tells which were connected to. */
export class AddressServer {
  /** The addresses that were connected to, in order. */
  readonly connected: string[] = [];
  private readonly servers: Server[] = [];
  private readonly sockets = new Set<Socket>();
  port = 0;

  /** @param serve by address */
  async listen(serve: Readonly<Record<string, Serve>>): Promise<void> {
    for (const [address, serveOne] of Object.entries(serve)) {
      const server = createServer((socket) => {
        this.connected.push(address);
        this.sockets.add(socket);
        socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
        serveOne(socket);
      });
      this.servers.push(server);
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(this.port, address, resolve));
      this.port = (server.address() as AddressInfo).port;
    }
  }

  /** Connections that are open. */
  get open(): number {
    return this.sockets.size;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await Promise.all(this.servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

/**
 * A certificate with its key, for a server on loopback: `trusted` for `localhost`, `*.parley.example` and the loopback
 * addresses, the others for clients only, for another host, of the year 2020, or signed by nobody else. `scripts/test.mjs` makes Node trust
 * their authority, whose own key was not kept. Made with openssl; valid for a hundred years.
 */
export function certificate(name: 'trusted' | 'client' | 'elsewhere' | 'expired' | 'self-signed'): TlsOptions {
  const pem = readFileSync(`test/support/certificates/${name}.pem`);
  return { key: pem, cert: pem };
}

export const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok';

/** Answers a request with 200. */
export const answerOk: Serve = (socket) => void socket.once('data', () => socket.end(OK));

/** Speaks TLS with the connection, and then does as `serve` says. */
export function overTls(serve: Serve = answerOk, options: TlsOptions = certificate('trusted')): Serve {
  const server = createTlsServer(options, (secured) => {
    secured.on('error', () => undefined);
    serve(secured);
  });
  server.on('tlsClientError', () => undefined);
  return (socket) => void server.emit('connection', socket);
}
