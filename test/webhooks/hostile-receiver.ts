import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';

const CHUNK = Buffer.alloc(64 * 1024, 120);
/** Slow enough never to finish, quick enough never to look idle, milliseconds. */
const DRIP_MS = 20;

/** What a misbehaving server may do with a request. */
export const MISBEHAVIOURS = {
  'never answers': () => undefined,
  'answers without end': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n');
    pour(socket);
  },
  'sends headers without end': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx-long: ');
    pour(socket);
  },
  'drips headers': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    drip(socket, 'x: y\r\n');
  },
  'drips its answer': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    drip(socket, '.');
  },
  'stalls after a long answer': (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n${'x'.repeat(2048)}`);
  },
  'ends its answer early': (socket) => {
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nearly');
  },
  'never ends its answer': (socket) => {
    socket.write('HTTP/1.1 202 Accepted\r\ncontent-length: 10\r\n\r\nlate');
  },
  'breaks off a chunk': (socket) => {
    socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\nZ');
  },
  'says continue first': (socket) => {
    socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n');
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok');
  },
  'says early hints without end': (socket) => {
    pour(socket, Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(2000)));
  },
  'extends a chunk without end': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5;');
    pour(socket);
  },
  'refuses without end': (socket) => {
    socket.write('HTTP/1.1 403 Forbidden\r\ncontent-length: 10\r\n\r\nno');
  },
  'hangs up': (socket) => {
    socket.destroy();
  },
  'fails at once': (socket) => {
    socket.write('HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n');
  },
  'speaks no HTTP': (socket) => {
    socket.write('SSH-2.0-OpenSSH_9.6\r\n');
  },
  'answers with a status below 100': (socket) => {
    socket.write('HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n');
  },
  'answers with a status above 599': (socket) => {
    socket.write('HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n');
  },
} satisfies Record<string, (socket: Socket) => void>;

export type Misbehaviour = keyof typeof MISBEHAVIOURS;

/** A customer's server that misbehaves as the URL path says. */
export class HostileReceiver {
  /** Bytes sent to all clients. */
  sent = 0;
  /** The maximum number of connections open at the same time. */
  mostOpen = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      this.mostOpen = Math.max(this.mostOpen, this.sockets.size);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        this.sent += socket.bytesWritten;
      });
      socket.once('data', (request) => misbehave(socket, request.toString('latin1')));
    });
  }

  static async listen(): Promise<HostileReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new HostileReceiver(server);
  }

  url(misbehaviour: Misbehaviour, which: string | number = 0): string {
    return `http://127.0.0.1:${this.port}/${encodeURIComponent(misbehaviour)}?${which}`;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Open connections. */
  get open(): number {
    return this.sockets.size;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

function misbehave(socket: Socket, request: string): void {
  const name = decodeURIComponent(/^POST \/([^? ]*)/.exec(request)?.[1] ?? '');
  const behave: ((socket: Socket) => void) | undefined = MISBEHAVIOURS[name as Misbehaviour];
  // A TLS handshake, for example, gets no answer at all.
  behave?.(socket);
}

function pour(socket: Socket, chunk = CHUNK): void {
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
}

function drip(socket: Socket, what: string): void {
  const timer = setInterval(() => socket.write(what), DRIP_MS);
  socket.on('close', () => clearInterval(timer));
}
