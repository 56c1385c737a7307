import { createServer, type Socket } from 'node:net';
import { EgressClient, type EgressClientOptions } from '../../src/egress/egress-client.js';
import { EgressError, type EgressFailure } from '../../src/egress/egress-error.js';
import { EgressGuard } from '../../src/egress/egress-guard.js';
import { HostResolver } from '../../src/egress/host-resolver.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { until } from '../support/until.js';

const LOOPBACK = new EgressGuard(['127.0.0.0/8'], new HostResolver());
const KILOBYTE = 1024;

let closing: (() => Promise<unknown>)[];
beforeEach(() => {
  closing = [];
});
afterEach(async () => {
  await Promise.all(closing.map((close) => close()));
});

function makeClient(options: EgressClientOptions = {}): EgressClient {
  const client = new EgressClient(LOOPBACK, options);
  closing.push(() => client.onApplicationShutdown());
  return client;
}

async function serve(...[answer]: Parameters<typeof LoopbackServer.start>): Promise<LoopbackServer> {
  const server = await LoopbackServer.start(answer);
  closing.push(() => server.stop());
  return server;
}

/** Starts a TCP server that can violate HTTP. */
async function serveRaw(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
}

const failure = (kind: EgressFailure, message: unknown = expect.any(String)) =>
  expect.objectContaining({ name: 'EgressError', kind, message });

const small = { timeoutMs: 3000, maxResponseBytes: KILOBYTE };

describe('a request to a customer’s URL', () => {
  it('sends method, path, query, headers and body, and returns status, headers and body', async () => {
    const server = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        response.writeHead(201, { 'x-seen': `${request.headers['x-mine']} ${request.headers['user-agent']}` });
        response.end(`${request.method} ${request.url} ${body}`);
      });
    });
    const answer = await makeClient().request({
      ...small,
      url: server.url('/hook?a=1#fragment'),
      method: 'POST',
      headers: { 'x-mine': 'yes', 'content-type': 'application/json' },
      body: Buffer.from('{"a":"é"}'),
    });
    expect(answer).toMatchObject({ status: 201, truncated: false, headers: { 'x-seen': 'yes Parley' } });
    expect(answer.body.toString()).toBe('POST /hook?a=1 {"a":"é"}');
  });

  it('returns an answer of exactly the cap and truncates a longer one', async () => {
    const server = await serve((request, response) => response.end('x'.repeat(Number(request.url?.slice(1)))));
    const client = makeClient();
    const exact = await client.request({ ...small, url: server.url('/1024') });
    expect([exact.body.length, exact.truncated]).toEqual([1024, false]);
    const longer = await client.request({ ...small, url: server.url('/1025') });
    expect([longer.body.length, longer.truncated]).toEqual([1024, true]);
  });

  it('truncates an endless answer immediately and closes the connection', async () => {
    let closed = false;
    const server = await serve((_request, response) => {
      const chunk = Buffer.alloc(64 * KILOBYTE, 120);
      const more = () => {
        while (response.write(chunk));
      };
      response.on('drain', more).on('close', () => {
        closed = true;
      });
      more();
    });
    const { body, truncated } = await makeClient().request({ ...small, url: server.url() });
    expect([body.length, truncated]).toEqual([KILOBYTE, true]);
    await until('the server saw the connection closed', () => closed);
  });

  it('times out when the body drips in past the deadline (slow loris)', async () => {
    const server = await serve((_request, response) => {
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    const request = { url: server.url(), timeoutMs: 300, maxResponseBytes: KILOBYTE };
    await expect(makeClient().request(request)).rejects.toEqual(failure('timeout', 'did not answer within 0.3 s'));
  });

  it('times out when the headers drip in past the deadline', async () => {
    const url = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('x: y\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    await expect(makeClient().request({ ...small, url, timeoutMs: 300 })).rejects.toEqual(failure('timeout'));
  });

  it('times out while it waits for a free connection', async () => {
    const url = await serveRaw(() => undefined);
    const client = makeClient({ connectionsPerOrigin: 1 });
    const hanging = client.request({ ...small, url, timeoutMs: 600 });
    await expect(client.request({ ...small, url, timeoutMs: 200 })).rejects.toEqual(failure('timeout'));
    await expect(hanging).rejects.toEqual(failure('timeout'));
  });

  it('reports a refused connection', async () => {
    const server = await LoopbackServer.start(() => undefined);
    await server.stop();
    const refusal = failure('connect', 'refused the connection');
    await expect(makeClient().request({ ...small, url: server.url() })).rejects.toEqual(refusal);
    const byName = `http://localhost:${server.port}/`;
    await expect(makeClient().request({ ...small, url: byName })).rejects.toEqual(refusal);
  });

  it('fails immediately, with all requests queued for the same closed port', async () => {
    const server = await LoopbackServer.start(() => undefined);
    await server.stop();
    const client = makeClient({ connectionsPerOrigin: 2 });
    const started = performance.now();
    const requests = Array.from({ length: 30 }, () => client.request({ ...small, url: server.url() }));
    const outcomes = await Promise.allSettled(requests);
    expect(outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason.kind)).toEqual(
      Array(30).fill('connect'),
    );
    expect(performance.now() - started).toBeLessThan(small.timeoutMs);
  });

  it('reports a connection closed without an answer', async () => {
    const url = await serveRaw((socket) => socket.once('data', () => socket.destroy()));
    await expect(makeClient().request({ ...small, url })).rejects.toEqual(failure('reset'));
  });

  it('reports a connection closed during the answer', async () => {
    const url = await serveRaw((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345')),
    );
    await expect(makeClient().request({ ...small, url })).rejects.toEqual(failure('reset'));
  });

  it.each([
    'SSH-2.0-OpenSSH_9.6\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n',
    `HTTP/1.1 200 OK\r\nA: ${'b'.repeat(20_000)}`,
  ])('reports an answer that is not HTTP: %#', async (answer) => {
    const url = await serveRaw((socket) => socket.once('data', () => socket.write(answer)));
    await expect(makeClient().request({ ...small, url })).rejects.toEqual(failure('bad_answer'));
  });

  it('reports a server that does not speak TLS', async () => {
    const server = await serve((_request, response) => response.end());
    const url = server.url().replace('http:', 'https:');
    await expect(makeClient().request({ ...small, url })).rejects.toEqual(failure('tls'));
  });

  it('never reveals an address in error messages', async () => {
    const url = await serveRaw((socket) => socket.destroy());
    const error = await makeClient()
      .request({ ...small, url })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(EgressError);
    expect((error as Error).message).not.toMatch(/\d+\.\d+\.\d+/);
  });

  it('reuses connections, even after truncated answers, and never exceeds the connection limit', async () => {
    const server = await serve((_request, response) => response.end('x'.repeat(4 * KILOBYTE)));
    const client = makeClient({ connectionsPerOrigin: 4 });
    const request = { ...small, url: server.url(), method: 'POST', body: '{}' } as const;
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(Array.from({ length: 20 }, () => client.request(request)));
    }
    expect(server.requests).toHaveLength(100);
    expect(server.connections).toBeLessThanOrEqual(4);
  });

  it('survives a server that hangs up between two requests', async () => {
    const server = await serve((_request, response) => response.writeHead(200, { connection: 'close' }).end('x'));
    const client = makeClient();
    for (let round = 0; round < 3; round += 1) {
      expect((await client.request({ ...small, url: server.url() })).status).toBe(200);
    }
    expect(server.connections).toBe(3);
  });
});

describe('a download from a customer’s URL', () => {
  const read = async (body: AsyncIterable<Buffer>): Promise<number> => {
    let size = 0;
    for await (const chunk of body) size += chunk.length;
    return size;
  };
  const megabyte = 1024 * KILOBYTE;

  it('streams up to the cap and fails beyond it', async () => {
    const server = await serve((request, response) => {
      response.write(Buffer.alloc(megabyte));
      response.end(Buffer.alloc(Number(request.url?.slice(1))));
    });
    const client = makeClient();
    const within = await client.download({ url: server.url('/0'), timeoutMs: 5000, maxBytes: megabyte });
    expect(await read(within.body)).toBe(megabyte);
    const beyond = await client.download({ url: server.url('/1'), timeoutMs: 5000, maxBytes: megabyte });
    await expect(read(beyond.body)).rejects.toEqual(failure('too_large', 'is larger than 1048576 bytes'));
  });

  it('applies backpressure for a slow reader', async () => {
    let sent = 0;
    const server = await serve((_request, response) => {
      const more = () => {
        for (sent += megabyte; response.write(Buffer.alloc(megabyte)); sent += megabyte);
      };
      response.on('drain', more);
      more();
    });
    const { body } = await makeClient().download({ url: server.url(), timeoutMs: 5000, maxBytes: 200 * megabyte });
    let seen = -1;
    await until('the sender is blocked', () => {
      const heldBack = seen === sent;
      seen = sent;
      return heldBack;
    });
    expect(sent).toBeLessThan(100 * megabyte);
    body.destroy();
  });

  it('times out during the body, even when nothing reads it', async () => {
    const server = await serve((_request, response) => void response.write('start'));
    const { body } = await makeClient().download({ url: server.url(), timeoutMs: 200, maxBytes: megabyte });
    await until('the body has failed', () => body.errored !== null);
    await expect(read(body)).rejects.toEqual(failure('timeout'));
  });

  it('can be discarded unread', async () => {
    const server = await serve((_request, response) => response.end(Buffer.alloc(megabyte)));
    const { body } = await makeClient().download({ url: server.url(), timeoutMs: 5000, maxBytes: 10 * megabyte });
    body.destroy();
    await until('the body is closed', () => body.closed);
  });
});
