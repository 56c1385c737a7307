import { createServer, type Socket } from 'node:net';
import { EgressClient } from '../../src/egress/egress-client.js';
import { EgressGuard } from '../../src/egress/egress-guard.js';
import { HostResolver } from '../../src/egress/host-resolver.js';

const TIMEOUT_MS = 50;
const REQUESTS = 100;

describe('the time-out of a request to a customer’s URL', () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    sockets.push(socket);
  });
  const client = new EgressClient(new EgressGuard(['127.0.0.0/8'], new HostResolver()));
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(async () => {
    await client.onApplicationShutdown();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  it('is granted to the last millisecond, whatever fraction of one a request begins at', async () => {
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
    const waited: Promise<number>[] = [];
    for (let begun = 0; begun < REQUESTS; begun += 1) {
      const before = performance.now();
      const ended = client.request({ url, timeoutMs: TIMEOUT_MS, maxResponseBytes: 1 });
      waited.push(
        ended.then(
          () => 0,
          () => performance.now() - before,
        ),
      );
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(Math.min(...(await Promise.all(waited)))).toBeGreaterThanOrEqual(TIMEOUT_MS);
  });
});
