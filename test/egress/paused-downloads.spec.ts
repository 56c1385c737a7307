import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { EgressClient } from '../../src/egress/egress-client.js';
import { EgressGuard } from '../../src/egress/egress-guard.js';
import { HostResolver } from '../../src/egress/host-resolver.js';
import { AddressServer, overTls } from './address-server.js';

/** Does not compress. */
const FILE = Buffer.concat(
  Array.from({ length: 10_000 }, (_, index) => createHash('sha256').update(`${index}`).digest()),
);
const GZIPPED = gzipSync(FILE);
const OF_LENGTH = (size: number) => `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${size}\r\n`;

/** Frames of a response that ends with its connection. */
const FRAMES: readonly (readonly [string, (size: number) => string])[] = [
  ['HTTP/1.0 without a length', () => 'HTTP/1.0 200 OK\r\n'],
  ['HTTP/1.1 that closes, without a length', () => 'HTTP/1.1 200 OK\r\nConnection: close\r\n'],
  ['HTTP/1.1 that closes, with a length', OF_LENGTH],
  ['HTTP/1.1 with a length', (size) => `HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n`],
];
const BODIES: readonly (readonly [string, Buffer, string])[] = [
  ['plain', FILE, ''],
  ['gzip', GZIPPED, 'Content-Encoding: gzip\r\n'],
];
const KINDS = FRAMES.flatMap(([frame, headOf]) =>
  BODIES.map(([encoding, body, header]) => [frame, encoding, `${headOf(body.length)}${header}\r\n`, body] as const),
);

/** Downloads wait for whoever reads them, while servers close their connections. */
describe('a download that is read slowly', () => {
  let client: EgressClient;
  let servers: Readonly<Record<string, AddressServer>>;
  let answer: (socket: Socket) => void;

  beforeAll(async () => {
    client = new EgressClient(new EgressGuard(['127.0.0.0/8'], new HostResolver()));
    const serve = (socket: Socket) => void socket.once('data', () => answer(socket));
    servers = { http: new AddressServer(), https: new AddressServer() };
    await servers.http?.listen({ '127.0.0.1': serve });
    await servers.https?.listen({ '127.0.0.1': overTls(serve) });
  });
  afterAll(async () => {
    await client.onApplicationShutdown();
    for (const server of Object.values(servers)) await server.close();
  });

  const open = (protocol: string) => {
    const url = `${protocol}://127.0.0.1:${servers[protocol]?.port}/`;
    return client.download({ url, timeoutMs: 60_000, maxBytes: 100_000_000 });
  };
  /** Reads a body piece by piece, and each in a later turn. */
  async function slowly(body: AsyncIterable<Buffer>): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of body) {
      pieces.push(piece);
      await wait(1);
    }
    return Buffer.concat(pieces);
  }

  describe.each(['http', 'https'])('over %s', (protocol) => {
    it.each(KINDS)('is whole when the connection ends behind it: %s, %s', async (_, __, head, body) => {
      for (let round = 0; round < 5; round += 1) {
        answer = (socket) => void socket.end(Buffer.concat([Buffer.from(head), body]));
        const { body: downloaded } = await open(protocol);
        expect((await slowly(downloaded)).equals(FILE)).toBe(true);
      }
    });
  });

  it.each(KINDS)('fails when the connection is reset within it: %s, %s', async (_, __, head, body) => {
    answer = (socket) => {
      // Node sends no reset while it writes.
      socket.write(Buffer.concat([Buffer.from(head), body.subarray(0, 100_000)]), () =>
        setTimeout(() => socket.resetAndDestroy(), 20),
      );
    };
    const { body: downloaded } = await open('http');
    await expect(slowly(downloaded)).rejects.toMatchObject({
      name: 'EgressError',
      kind: 'reset',
      message: 'closed the connection before the end of its response',
    });
  });

  it.each(KINDS.filter(([frame]) => frame.includes('with a length')))(
    'fails when it ends before its length: %s, %s',
    async (_, __, head, body) => {
      answer = (socket) => void socket.end(Buffer.concat([Buffer.from(head), body.subarray(0, 100_000)]));
      const { body: downloaded } = await open('http');
      const message = 'closed the connection before the end of its response';
      await expect(slowly(downloaded)).rejects.toMatchObject({ kind: 'reset', message });
    },
  );

  it('lets its server wait, and leaves the connection to the next request', async () => {
    // More than the buffers of both ends hold.
    const parts = 100;
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${parts * FILE.length}\r\n\r\n`;
    let unsent = (): number => 0;
    answer = (socket) => {
      unsent = () => socket.writableLength;
      socket.write(head);
      for (let part = 0; part < parts; part += 1) socket.write(FILE);
      socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'));
    };
    const { body } = await open('http');
    for (let last = -1; last !== unsent(); ) {
      last = unsent();
      await wait(50);
    }
    expect(unsent()).toBeGreaterThan(0);
    expect((await slowly(body)).length).toBe(parts * FILE.length);
    const before = servers.http?.connected.length;
    const next = await open('http');
    expect((await slowly(next.body)).toString()).toBe('ok');
    expect(servers.http?.connected.length).toBe(before);
  });
});
