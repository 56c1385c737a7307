import 'reflect-metadata';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { Pool } from 'undici';
import { newRecordId } from '../src/values/record-id.js';
import { sendBare } from './support/bare-send.js';
import { median, quantile, show } from './support/figures.js';
import { type LoadResult, load } from './support/load.js';
import { ProcessorTimeSpent, processorTime } from './support/processor-time.js';
import { authorizationOf, type BenchAccount, Stack } from './support/stack.js';

// Single template sends. Compares Parley with a floor of bare node:http: one commit for the intent, the call to the
// network, and one commit for the outcome. Both use the same database and simulator and take turns.

const CONNECTIONS = Number(process.env['BENCH_CONNECTIONS'] ?? 16);
const KEYS = 64;
const ROUNDS = 3;
const REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? 6000);
const CONTACTS_PER_KEY = 200;

/** The floor: the minimum work for a durable send. */
async function serveFloor(databaseUrl: string, simulatorUrl: string): Promise<void> {
  const database = new pg.Pool({ connectionString: databaseUrl, max: 20 });
  await database.query(
    'CREATE TABLE IF NOT EXISTS floor (id uuid PRIMARY KEY, recipient text, status text, network_id text)',
  );
  const network = new Pool(simulatorUrl, { connections: 64, pipelining: 1 });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const { to, phone, template } = JSON.parse(Buffer.concat(chunks).toString()) as FloorSend;
      const id = newRecordId();
      await database.query({
        name: 'intent',
        text: `INSERT INTO floor (id, recipient, status) VALUES ($1, $2, 'pending')`,
        values: [id, to],
      });
      const networkId = await sendBare(network, phone, id, to, template);
      await database.query({
        name: 'outcome',
        text: `UPDATE floor SET status = 'sent', network_id = $2 WHERE id = $1`,
        values: [id, networkId],
      });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ status: 'success', message_id: id }));
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

interface FloorSend {
  readonly to: string;
  readonly phone: string;
  readonly template: string;
}

async function bench(): Promise<void> {
  const stack = await Stack.start();
  await stack.simulate('behaviour', { statuses: [], review_delay_ms: 0 });
  const floor: ChildProcess = fork(fileURLToPath(import.meta.url), ['floor', stack.databaseUrl, stack.simulatorUrl]);
  try {
    const [port] = (await once(floor, 'message')) as [number];
    const accounts: BenchAccount[] = [];
    for (let index = 0; index < KEYS; index += 1) accounts.push(await stack.account());
    const template = 'bench_send';
    for (const account of accounts) await stack.template(account, template);
    const accountAt = (index: number): BenchAccount => accounts[index % KEYS] as BenchAccount;
    const contactAt = (index: number): string => String(4_915_100_000_000 + (index % (KEYS * CONTACTS_PER_KEY)));

    const runOurs = (requests: number): Promise<LoadResult> =>
      load(stack.baseUrl, {
        connections: CONNECTIONS,
        requests,
        next: (index) => ({
          path: '/api/v1/messages/send',
          headers: { ...authorizationOf(accountAt(index)), 'content-type': 'application/json' },
          body: JSON.stringify({ template_name: template, contact_phone: contactAt(index) }),
        }),
      });
    const runFloor = (requests: number): Promise<LoadResult> =>
      load(`http://127.0.0.1:${port}`, {
        connections: CONNECTIONS,
        requests,
        next: (index) => ({
          path: '/',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ to: contactAt(index), phone: accountAt(index).phoneNumberId, template }),
        }),
      });

    console.log(`Single sends, ${CONNECTIONS} connections, ${KEYS} keys, ${REQUESTS} sends per round`);
    await runFloor(REQUESTS / 2);
    await runOurs(REQUESTS);
    const processes = [
      ...stack.processes,
      { name: 'floor', pid: floor.pid ?? 0 },
      { name: 'load', pid: process.pid },
    ].filter(({ pid }) => pid > 0);
    const ours: LoadResult[] = [];
    const floors: LoadResult[] = [];
    const spent = { floor: new ProcessorTimeSpent(), ours: new ProcessorTimeSpent() };
    for (let round = 0; round < ROUNDS; round += 1) {
      const start = await processorTime(processes);
      floors.push(await runFloor(REQUESTS));
      const middle = await processorTime(processes);
      ours.push(await runOurs(REQUESTS));
      spent.floor.add(start, middle);
      spent.ours.add(middle, await processorTime(processes));
    }
    const print = (name: string, results: LoadResult[]): number => {
      const perSecond = Math.round(median(results.map((result) => result.perSecond)));
      const latencies = results.flatMap((result) => result.latencies);
      show(name, {
        'requests/s': perSecond,
        'p50 ms': quantile(latencies, 0.5).toFixed(1),
        'p99 ms': quantile(latencies, 0.99).toFixed(1),
        failures: results.reduce((sum, { failures }) => sum + failures, 0),
      });
      return perSecond;
    };
    const floorRate = print('floor', floors);
    const ourRate = print('ours', ours);
    show('floor, CPU ms per send', spent.floor.perItem(ROUNDS * REQUESTS));
    show('ours, CPU ms per send', spent.ours.perItem(ROUNDS * REQUESTS));
    console.log(
      `  ours is ${Math.round((ourRate / floorRate) * 100)} % of the floor (target: at least 60 %, p99 at most 50 ms)`,
    );
  } finally {
    floor.kill();
    await stack.stop();
  }
}

const [role, databaseUrl = '', simulatorUrl = ''] = process.argv.slice(2);
if (role === 'floor') await serveFloor(databaseUrl, simulatorUrl);
else await bench();
