import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { brotliCompressSync, constants, createGzip, gzipSync } from 'node:zlib';
import { EgressClient } from '../../src/egress/egress-client.js';
import type { EgressFailure } from '../../src/egress/egress-error.js';
import { EgressGuard } from '../../src/egress/egress-guard.js';
import { HostResolver } from '../../src/egress/host-resolver.js';
import { crowd } from '../support/crowd.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { until } from '../support/until.js';
import { answered } from './answered.js';
import { UntidyServer } from './untidy-answers.js';

const MEGABYTE = 1024 * 1024;
const LARGE_WINDOW = { params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: 0 } };
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n';
const PATIENT = { timeoutMs: 200_000, maxBytes: 200 * MEGABYTE };

/** Writes a piece of a body in chunks. */
const writeChunk = (socket: Socket, bytes: Buffer): boolean => {
  socket.write(`${bytes.length.toString(16)}\r\n`);
  socket.write(bytes);
  return socket.write('\r\n');
};

describe('an encoded download', () => {
  let client: EgressClient;
  let closing: (() => Promise<unknown>)[];

  beforeEach(() => {
    client = new EgressClient(new EgressGuard(['127.0.0.0/8'], new HostResolver()));
    closing = [() => client.onApplicationShutdown()];
  });
  afterEach(() => Promise.all(closing.map((close) => close())));

  /** A server that does with each request what the test says. @returns its URL, and how many connections are open */
  async function serve(onRequest: (socket: Socket) => void) {
    const seen = { url: '', open: 0 };
    const server = await UntidyServer.listen((_path, socket) => {
      seen.open += 1;
      socket.on('close', () => {
        seen.open -= 1;
      });
      onRequest(socket);
    });
    closing.push(() => server.close());
    seen.url = server.url('file');
    return seen;
  }

  const failure = (kind: EgressFailure) => expect.objectContaining({ name: 'EgressError', kind });

  async function read(body: AsyncIterable<Buffer>): Promise<number> {
    let size = 0;
    for await (const chunk of body) size += chunk.length;
    return size;
  }

  it('applies backpressure for a slow reader', async () => {
    let sent = 0;
    const chunk = gzipSync(randomBytes(MEGABYTE));
    const server = await serve((socket) => {
      socket.write(HEAD);
      const more = () => {
        for (sent += chunk.length; writeChunk(socket, chunk); sent += chunk.length);
      };
      socket.on('drain', more);
      more();
    });
    const { body } = await client.download({ ...PATIENT, url: server.url, timeoutMs: 600_000 });
    const iterator = body[Symbol.asyncIterator]();
    expect((await iterator.next()).done).toBe(false);
    let seen = -1;
    await until('the sender is blocked', () => {
      const heldBack = seen === sent;
      seen = sent;
      return heldBack;
    });
    expect(sent).toBeLessThan(100 * MEGABYTE);
    body.destroy();
    await until('the connection is closed', () => server.open === 0);
  });

  it('in Brotli with a large window waits while sixteen others are decoded, but not for ever', async () => {
    const content = randomBytes(100_000);
    const encoded = brotliCompressSync(content, LARGE_WINDOW);
    const usual = brotliCompressSync(content);
    let isWhole = false;
    const server = await LoopbackServer.start(({ url }, response) => {
      response.writeHead(200, { 'content-encoding': url === '/gzip' ? 'gzip' : 'br' });
      if (url === '/gzip') response.end(gzipSync(content));
      else if (url === '/usual') response.end(usual);
      else if (isWhole) response.end(encoded);
      else response.write(encoded.subarray(0, 50_000));
    });
    closing.push(() => server.stop());
    const download = async (path: string) => (await client.download({ ...PATIENT, url: server.url(path) })).body;
    const others = await crowd(16, () => download('/br'));
    for (const other of others) expect((await other[Symbol.asyncIterator]().next()).done).toBe(false);
    isWhole = true;
    let isRead = false;
    const late = read(await download('/br')).finally(() => {
      isRead = true;
    });
    const givenUp = await download('/br');
    givenUp.resume();
    givenUp.destroy();
    for (const path of ['/gzip', '/usual', '/gzip', '/usual']) {
      expect(await read(await download(path))).toBe(content.length);
    }
    const hurried = await answered(() => client.download({ ...PATIENT, url: server.url('/br'), timeoutMs: 500 }));
    await expect(read(hurried.body)).rejects.toEqual(failure('timeout'));
    expect(isRead).toBe(false);
    others[0]?.destroy();
    expect(await late).toBe(content.length);
    for (const other of others) other.destroy();
    // None was lost by one that was given up.
    const sizes = await crowd(40, async () => read(await download('/br')));
    expect(new Set(sizes)).toEqual(new Set([content.length]));
  });

  it('can be discarded unread', async () => {
    const server = await serve((socket) => void socket.write(`${HEAD}0\r\n\r\n`));
    for (let round = 0; round < 3; round += 1) {
      const { body } = await client.download({ ...PATIENT, url: server.url });
      body.destroy();
      await until('the body is closed', () => body.closed);
    }
  });

  it('times out during the body, even when nothing reads it', async () => {
    const server = await serve((socket) => {
      socket.write(HEAD);
      writeChunk(socket, gzipSync('start').subarray(0, 12));
    });
    const { body } = await answered(() => client.download({ ...PATIENT, url: server.url, timeoutMs: 200 }));
    await until('the body has failed', () => body.errored !== null);
    await expect(read(body)).rejects.toEqual(failure('timeout'));
  });

  it('is cancelled while it is read', async () => {
    const server = await serve((socket) => {
      socket.write(HEAD);
      writeChunk(socket, gzipSync(randomBytes(100_000)).subarray(0, 50_000));
    });
    const controller = new AbortController();
    const { body } = await client.download({ ...PATIENT, url: server.url, signal: controller.signal });
    const reading = read(body);
    await until('something was decoded', () => body.readableDidRead);
    controller.abort();
    await expect(reading).rejects.toEqual(failure('cancelled'));
    await until('the connection is closed', () => server.open === 0);
  });

  it('fails as the connection does, not for what is then missing', async () => {
    const server = await serve((socket) => {
      socket.write(HEAD);
      writeChunk(socket, gzipSync(randomBytes(100_000)).subarray(0, 50_000));
      socket.end();
    });
    const { body } = await client.download({ ...PATIENT, url: server.url });
    await expect(read(body)).rejects.toEqual(failure('reset'));
  });

  it('ends where its content does, whatever follows', async () => {
    const content = randomBytes(MEGABYTE);
    let garbage = 0;
    const server = await serve((socket) => {
      socket.write(HEAD);
      writeChunk(socket, gzipSync(content));
      const more = () => {
        while (writeChunk(socket, Buffer.alloc(MEGABYTE, 'x'))) garbage += 1;
      };
      socket.on('drain', more);
      more();
    });
    const { body } = await client.download({ ...PATIENT, url: server.url });
    expect(Buffer.concat(await body.toArray()).equals(content)).toBe(true);
    await until('the connection is closed', () => server.open === 0);
    expect(garbage).toBeLessThan(100);
  });

  it('comes in pieces, however often its reader pauses', async () => {
    const content = randomBytes(300_000);
    const server = await LoopbackServer.start((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      for (let at = 0; at < content.length; at += 1000) gzip.write(content.subarray(at, at + 1000));
      gzip.end();
    });
    closing.push(() => server.stop());
    const { body } = await client.download({ ...PATIENT, url: server.url() });
    const chunks: Buffer[] = [];
    for await (const chunk of body) {
      chunks.push(chunk as Buffer);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(Buffer.concat(chunks).equals(content)).toBe(true);
  });

  it('reuses its connection', async () => {
    const content = randomBytes(100_000);
    const server = await LoopbackServer.start((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(content)),
    );
    closing.push(() => server.stop());
    for (let round = 0; round < 5; round += 1) {
      const { body } = await client.download({ ...PATIENT, url: server.url() });
      expect(await read(body)).toBe(content.length);
    }
    expect(server.connections).toBe(1);
  });
});
