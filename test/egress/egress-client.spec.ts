import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { EgressClient, type EgressClientOptions } from '../../src/egress/egress-client.js';
import { EgressError, type EgressFailure } from '../../src/egress/egress-error.js';
import { EgressGuard } from '../../src/egress/egress-guard.js';
import { HostResolver } from '../../src/egress/host-resolver.js';
import { crowd } from '../support/crowd.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { until } from '../support/until.js';
import { answered } from './answered.js';

const LOOPBACK = new EgressGuard(['127.0.0.0/8'], new HostResolver());
const KILOBYTE = 1024;

let closing: (() => Promise<unknown>)[];
beforeEach(() => {
  closing = [];
});
afterEach(async () => {
  await Promise.all(closing.map((close) => close()));
});

/** Servers share the process of the tests, which may stand still for seconds. */
const PATIENT = { keepAliveMs: 60_000 };

function makeClient(options: EgressClientOptions = {}): EgressClient {
  const client = new EgressClient(LOOPBACK, { ...PATIENT, ...options });
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

const small = { timeoutMs: 60_000, maxResponseBytes: KILOBYTE };
/** A port on which nobody ever listens. */
const CLOSED_PORT = 9;

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

  it('lasts as long as its connection is taken by an answer that stalls beyond the cap', async () => {
    let open = 0;
    let mostOpen = 0;
    const url = await serveRaw((socket) => {
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      socket.resume();
      socket.on('close', () => {
        open -= 1;
      });
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n${'x'.repeat(2 * KILOBYTE)}`);
    });
    const client = makeClient();
    let late = 0;
    for (let round = 0; round < 10; round += 1) {
      const { status, body, truncated } = await answered(
        () => client.request({ ...small, url, timeoutMs: 200 }),
        () => {
          late += 1;
        },
      );
      expect([status, body.length, truncated]).toEqual([200, KILOBYTE, true]);
    }
    // The server may learn of a closed connection only after it has seen the next.
    expect(mostOpen).toBeLessThanOrEqual(2 + late);
  });

  it('returns what has arrived of a body that drips in past the deadline (slow loris)', async () => {
    const server = await serve((_request, response) => {
      response.write('.');
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    const client = makeClient();
    const answer = await answered(() => client.request({ ...small, url: server.url(), timeoutMs: 300 }));
    expect(answer).toMatchObject({ status: 200, truncated: true });
    expect(answer.body.toString()).toMatch(/^\.+$/);
  });

  it('returns the status when the headers drip in past the deadline', async () => {
    const url = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('x: y\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    const client = makeClient();
    const answer = await answered(() => client.request({ ...small, url, timeoutMs: 300 }));
    expect(answer).toMatchObject({ status: 200, truncated: true, oddities: ['headers that did not end'] });
  });

  it('times out while it waits for a free connection', async () => {
    const url = await serveRaw(() => undefined);
    const client = makeClient({ connectionsPerOrigin: 1 });
    const hanging = client.request({ ...small, url, timeoutMs: 600 });
    await expect(client.request({ ...small, url, timeoutMs: 200 })).rejects.toEqual(failure('timeout'));
    await expect(hanging).rejects.toEqual(failure('timeout'));
  });

  it('reports a refused connection', async () => {
    const refusal = failure('connect', 'refused the connection');
    const byAddress = `http://127.0.0.1:${CLOSED_PORT}/`;
    await expect(makeClient().request({ ...small, url: byAddress })).rejects.toEqual(refusal);
    const byName = `http://localhost:${CLOSED_PORT}/`;
    await expect(makeClient().request({ ...small, url: byName })).rejects.toEqual(refusal);
  });

  it('fails immediately, with all requests queued for the same closed port', async () => {
    const client = makeClient({ connectionsPerOrigin: 2 });
    const url = `http://127.0.0.1:${CLOSED_PORT}/`;
    const requests = Array.from({ length: 30 }, () => client.request({ ...small, url }));
    const outcomes = await Promise.allSettled(requests);
    expect(outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason.kind)).toEqual(
      Array(30).fill('connect'),
    );
  });

  it('reports a connection closed without an answer', async () => {
    const url = await serveRaw((socket) => socket.once('data', () => socket.destroy()));
    await expect(makeClient().request({ ...small, url })).rejects.toEqual(failure('reset'));
  });

  it('reports a connection closed during the first line', async () => {
    const url = await serveRaw((socket) => socket.once('data', () => socket.end('HTTP/1.1 200 O')));
    await expect(makeClient().request({ ...small, url })).rejects.toEqual(failure('reset'));
  });

  it('returns what has arrived of a body that is shorter than announced', async () => {
    const url = await serveRaw((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345')),
    );
    const answer = await makeClient().request({ ...small, url });
    expect(answer).toMatchObject({ status: 200, truncated: true });
    expect(answer.body.toString()).toBe('12345');
  });

  const INTERIM = [
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 102 Processing\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n',
    'HTTP/1.1 199 Other\r\n\r\n',
  ];

  it.each([...INTERIM, INTERIM.join('')])('skips informational answers before the final one: %j', async (interim) => {
    const url = await serveRaw((socket) =>
      socket.on('data', () => socket.write(`${interim}HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok`)),
    );
    const client = makeClient();
    for (let round = 0; round < 2; round += 1) {
      const answer = await client.request({ ...small, url, method: 'POST', body: '{}' });
      expect([answer.status, answer.body.toString()]).toEqual([201, 'ok']);
    }
  });

  it('skips informational answers that arrive byte by byte', async () => {
    const answer = `${INTERIM.join('')}HTTP/1.1 204 No Content\r\n\r\n`;
    const url = await serveRaw((socket) => {
      socket.setNoDelay(true);
      const send = (index: number) => {
        if (index < answer.length) socket.write(answer.charAt(index), () => setImmediate(send, index + 1));
      };
      socket.once('data', () => send(0));
    });
    expect((await makeClient().request({ ...small, url })).status).toBe(204);
  });

  it.each([
    ['informational answers without end', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(50_000)],
    ['early hints without end', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50_000)],
    ['an informational answer without end', `HTTP/1.1 100 Continue\r\nx: ${'y'.repeat(200_000)}`],
  ])('refuses %s', async (_what, answer) => {
    const url = await serveRaw((socket) => socket.once('data', () => socket.write(answer)));
    await expect(makeClient().request({ ...small, url })).rejects.toEqual(
      expect.objectContaining({ kind: expect.stringMatching(/^(reset|bad_answer)$/) }),
    );
  });

  it('returns what has arrived when the framing of a body outgrows it', async () => {
    let closed = false;
    const url = await serveRaw((socket) => {
      socket.on('close', () => {
        closed = true;
      });
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n5;');
        socket.write('x'.repeat(KILOBYTE * KILOBYTE));
      });
    });
    const answer = await makeClient().request({ ...small, url, timeoutMs: 600_000 });
    expect([answer.status, answer.body.toString(), answer.truncated]).toEqual([200, 'ok', true]);
    await until('the connection is closed', () => closed);
  });

  it('accepts a body in many small chunks', async () => {
    const url = await serveRaw((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
        socket.write(`${'1\r\nx\r\n'.repeat(200_000)}0\r\n\r\n`);
      }),
    );
    const answer = await makeClient().request({ url, timeoutMs: 60_000, maxResponseBytes: 400_000 });
    expect([answer.body.length, answer.truncated]).toEqual([200_000, false]);
  });

  /** Answers the first request of each connection; `onSecond` gets what follows on it. */
  const serveOnce = async (onSecond: (socket: Socket) => void) => {
    const seen = { connections: 0, requests: 0 };
    const url = await serveRaw((socket) => {
      seen.connections += 1;
      let requests = 0;
      socket.on('data', () => {
        requests += 1;
        seen.requests += 1;
        if (requests === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
        else onSecond(socket);
      });
    });
    return { url, seen };
  };

  it.each([
    ['closed', (socket: Socket) => void socket.end()],
    ['reset', (socket: Socket) => void socket.resetAndDestroy()],
  ])('tries again, once, when a reused connection is %s before a byte of the answer', async (_how, hangUp) => {
    const { url, seen } = await serveOnce(hangUp);
    const client = makeClient({ connectionsPerOrigin: 1 });
    const request = { ...small, url, method: 'POST', body: '{}' } as const;
    expect((await client.request(request)).status).toBe(200);
    expect((await client.request(request)).status).toBe(200);
    expect(seen).toEqual({ connections: 2, requests: 3 });
  });

  it('does not try again after a byte of the answer', async () => {
    const { url, seen } = await serveOnce((socket) => socket.end('H'));
    const client = makeClient({ connectionsPerOrigin: 1 });
    expect((await client.request({ ...small, url })).status).toBe(200);
    await expect(client.request({ ...small, url })).rejects.toEqual(failure('reset'));
    expect(seen).toEqual({ connections: 1, requests: 2 });
  });

  it('does not try again on a fresh connection', async () => {
    let connections = 0;
    const url = await serveRaw((socket) => {
      connections += 1;
      socket.once('data', () => socket.destroy());
    });
    await expect(makeClient().request({ ...small, url })).rejects.toEqual(failure('reset'));
    expect(connections).toBe(1);
  });

  it.each(['SSH-2.0-OpenSSH_9.6\r\n', '+OK\r\n', 'HTTP/2 1'])(
    'reports an answer that is not HTTP: %#',
    async (answer) => {
      const url = await serveRaw((socket) => socket.once('data', () => socket.write(answer)));
      await expect(makeClient().request({ ...small, url })).rejects.toEqual(failure('bad_answer'));
    },
  );

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
    let connections = 0;
    let requests = 0;
    // It never closes an idle connection, however long the next request takes to come.
    const server = createHttpServer({ keepAliveTimeout: 0 }, (_request, response) => {
      requests += 1;
      response.end('x'.repeat(4 * KILOBYTE));
    });
    server.on('connection', () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const client = makeClient({ connectionsPerOrigin: 4 });
    const request = { ...small, url, method: 'POST', body: '{}' } as const;
    for (let round = 0; round < 5; round += 1) await crowd(20, () => client.request(request), 20);
    expect(requests).toBe(100);
    expect(connections).toBeLessThanOrEqual(4);
  });

  describe('that gets 408', () => {
    const TOO_LATE = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
    const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
    /** Answers the requests of each connection in turn. */
    const serveInTurn = (...answers: string[]): Promise<string> =>
      serveRaw((socket) => {
        const left = [...answers];
        socket.on('data', () => socket.write(left.shift() ?? OK));
      });
    const statusesOf = async (url: string, requests: number): Promise<number[]> => {
      const client = makeClient({ connectionsPerOrigin: 1 });
      const statuses: number[] = [];
      for (let request = 0; request < requests; request += 1) {
        statuses.push((await client.request({ ...small, url, method: 'POST', body: '{}' })).status);
      }
      return statuses;
    };

    it('on a connection that was idle is sent again on a new one', async () => {
      expect(await statusesOf(await serveInTurn(OK, TOO_LATE), 2)).toEqual([200, 200]);
    });

    it('on a new connection has its answer', async () => {
      expect(await statusesOf(await serveInTurn(TOO_LATE), 2)).toEqual([408, 408]);
    });

    it('on a connection that stays open has its answer', async () => {
      const kept = TOO_LATE.replace('Connection: close\r\n', '');
      expect(await statusesOf(await serveInTurn(OK, kept), 2)).toEqual([200, 408]);
    });
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
    const within = await client.download({ url: server.url('/0'), timeoutMs: 60_000, maxBytes: megabyte });
    expect(await read(within.body)).toBe(megabyte);
    const beyond = await client.download({ url: server.url('/1'), timeoutMs: 60_000, maxBytes: megabyte });
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
    const { body } = await makeClient().download({ url: server.url(), timeoutMs: 600_000, maxBytes: 200 * megabyte });
    let seen = -1;
    await until('the sender is blocked', () => {
      const heldBack = seen === sent;
      seen = sent;
      return heldBack;
    });
    expect(sent).toBeLessThan(100 * megabyte);
    body.destroy();
  });

  it('takes a body in small chunks, however often its reader pauses', async () => {
    const url = await serveRaw((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
        socket.write(`${`64\r\n${'x'.repeat(100)}\r\n`.repeat(20_000)}0\r\n\r\n`);
      }),
    );
    const { body } = await makeClient().download({ url, timeoutMs: 60_000, maxBytes: 4 * megabyte });
    let size = 0;
    for await (const chunk of body) {
      size += (chunk as Buffer).length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(size).toBe(2_000_000);
  });

  it('times out during the body, even when nothing reads it', async () => {
    const server = await serve((_request, response) => void response.write('start'));
    const client = makeClient();
    const { body } = await answered(() => client.download({ url: server.url(), timeoutMs: 200, maxBytes: megabyte }));
    await until('the body has failed', () => body.errored !== null);
    await expect(read(body)).rejects.toEqual(failure('timeout'));
  });

  it('can be discarded unread', async () => {
    const server = await serve((_request, response) => response.end(Buffer.alloc(megabyte)));
    const { body } = await makeClient().download({ url: server.url(), timeoutMs: 60_000, maxBytes: 10 * megabyte });
    body.destroy();
    await until('the body is closed', () => body.closed);
  });
});
