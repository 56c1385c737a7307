import 'reflect-metadata';
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent } from 'undici';
import { EgressClient } from '../src/egress/egress-client.js';
import { EgressGuard } from '../src/egress/egress-guard.js';
import { HostResolver } from '../src/egress/host-resolver.js';
import { median, quantile, show } from './support/figures.js';
import { Receiver } from './support/receiver.js';

// Ways to post webhooks. `clients` posts over kept connections: with our egress client, which reads untidy answers and is
// guarded; with undici alone, which does neither (the floor); and with Node's client at its most lenient, which reads most
// of them. `connections` opens a connection for each request.

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? 30_000);
const NEW_CONNECTIONS = 2000;
const CONNECTIONS = 128;
const TIMEOUT_MS = 60_000;
const BODY = JSON.stringify({ event: 'message.delivered', text: 'x'.repeat(300) });
const HEADERS = { 'content-type': 'application/json' };

/** Posts to a URL and reads the answer. */
interface Way {
  readonly name: string;
  post(url: string): Promise<unknown>;
  close(): Promise<unknown>;
}

function ours(): Way {
  const guard = new EgressGuard(['127.0.0.0/8'], new HostResolver());
  const client = new EgressClient(guard, { connectionsPerOrigin: CONNECTIONS });
  return {
    name: 'ours',
    post: (url) =>
      client.request({
        url,
        method: 'POST',
        headers: HEADERS,
        body: BODY,
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: 1024,
      }),
    close: () => client.onApplicationShutdown(),
  };
}

function undici(): Way {
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 });
  return {
    name: 'undici alone',
    async post(url) {
      const { origin, pathname } = new URL(url);
      const answer = await agent.request({ origin, path: pathname, method: 'POST', headers: HEADERS, body: BODY });
      await answer.body.dump();
    },
    close: () => agent.close(),
  };
}

function nodeHttp(): Way {
  const agent = new HttpAgent({ keepAlive: true, maxSockets: CONNECTIONS });
  const options = { agent, method: 'POST', headers: HEADERS, insecureHTTPParser: true, maxHeaderSize: 65_536 };
  return {
    name: 'Node',
    post: (url) =>
      new Promise<void>((resolve, reject) => {
        httpRequest(url, options, (answer) => answer.on('end', resolve).on('error', reject).resume())
          .on('error', reject)
          .end(BODY);
      }),
    close: async () => agent.destroy(),
  };
}

const WAYS = [undici, ours, nodeHttp];

async function clients({ url }: Receiver): Promise<void> {
  const rates = new Map<string, number[]>();
  const costs = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const make of WAYS) {
      const way = make();
      let left = REQUESTS;
      const [startedAt, spent] = [performance.now(), process.cpuUsage()];
      await Promise.all(
        Array.from({ length: CONNECTIONS }, async () => {
          for (; left > 0; left -= 1) await way.post(url);
        }),
      );
      const { user, system } = process.cpuUsage(spent);
      rates.set(way.name, [...(rates.get(way.name) ?? []), (1000 * REQUESTS) / (performance.now() - startedAt)]);
      costs.set(way.name, [...(costs.get(way.name) ?? []), (user + system) / REQUESTS]);
      await way.close();
    }
  }
  console.log(`clients: ${REQUESTS.toLocaleString('en-US')} requests over ${CONNECTIONS} connections`);
  for (const [name, found] of rates) {
    show(`  ${name}`, {
      'requests/s': Math.round(median(found)),
      'CPU µs per request': Math.round(median(costs.get(name) ?? [])),
    });
  }
}

async function connections({ url }: Receiver): Promise<void> {
  console.log(
    `connections: ${NEW_CONNECTIONS.toLocaleString('en-US')} requests one after the other, each on a new one`,
  );
  for (const host of ['127.0.0.1', 'localhost']) {
    for (const make of WAYS) {
      const way = make();
      const target = new URL('/close', url);
      target.hostname = host;
      const times: number[] = [];
      for (let request = 0; request < NEW_CONNECTIONS; request += 1) {
        const startedAt = performance.now();
        await way.post(target.href);
        times.push(performance.now() - startedAt);
      }
      await way.close();
      const figures = { 'p50 ms': quantile(times, 0.5).toFixed(2), 'p99 ms': quantile(times, 0.99).toFixed(2) };
      show(`  ${host}, ${way.name}`, figures);
    }
  }
}

const receiver = await Receiver.start();
try {
  await clients(receiver);
  await connections(receiver);
} finally {
  receiver.stop();
}
