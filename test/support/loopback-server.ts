import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';

/** An HTTP server on loopback with a request handler set by a test. */
export class LoopbackServer {
  /** Method and URL of each request, in order. */
  readonly requests: string[] = [];
  /** Connections opened so far. */
  connections = 0;

  private constructor(
    private readonly server: Server,
    private readonly host: string,
    /** After `stop`, a port on which nothing listens. */
    readonly port: number,
  ) {
    server.on('connection', () => {
      this.connections += 1;
    });
    server.on('request', (request: IncomingMessage) => {
      this.requests.push(`${request.method} ${request.url}`);
    });
  }

  static async start(
    answer: (request: IncomingMessage, response: ServerResponse) => void,
    host = '127.0.0.1',
    port = 0,
  ): Promise<LoopbackServer> {
    const server = createServer(answer as RequestListener);
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
    return new LoopbackServer(server, host, (server.address() as AddressInfo).port);
  }

  /** Absolute URL of `path`. */
  url(path = '/'): string {
    return `http://${this.host}:${this.port}${path}`;
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }
}

/** Listens on all addresses and counts connections, to prove that none are made. */
export class Canary {
  /** Number of connections so far. */
  seen = 0;

  private constructor(
    private readonly servers: readonly TcpServer[],
    readonly port: number,
  ) {}

  /** Listens on the same port of 0.0.0.0 and, if the machine has IPv6, of ::. */
  static async start(): Promise<Canary> {
    const four = createTcpServer();
    await new Promise<void>((resolve) => four.listen(0, '0.0.0.0', resolve));
    const { port } = four.address() as AddressInfo;
    const six = createTcpServer();
    const hasSix = await new Promise<boolean>((resolve) => {
      six.once('error', () => resolve(false));
      six.listen({ port, host: '::', ipv6Only: true }, () => resolve(true));
    });
    const canary = new Canary(hasSix ? [four, six] : [four], port);
    for (const server of canary.servers) {
      server.on('connection', (socket) => {
        canary.seen += 1;
        socket.destroy();
      });
    }
    return canary;
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
  }
}
