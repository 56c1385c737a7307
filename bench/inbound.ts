import 'reflect-metadata';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { newRecordId } from '../src/values/record-id.js';
import { serveCallbackFloor } from './support/callback-floor.js';
import { callbackBody, signedHeaders } from './support/callbacks.js';
import { median, quantile, show } from './support/figures.js';
import { type LoadResult, load } from './support/load.js';
import { ProcessorTimeSpent, processorTime } from './support/processor-time.js';
import { type BenchAccount, Stack } from './support/stack.js';

// Messages of customers, each in a callback of its own and stored before the 200: the first of a person makes a contact
// and a conversation, later ones find them. Compares Parley with a floor of bare node:http that checks the signature and
// commits one INSERT per message. Both use the same database and take turns.

const CONNECTIONS = 32;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const PEOPLE = Number(process.env['BENCH_PEOPLE'] ?? 1000);
const MESSAGES_EACH = 3;

/** The floor: the minimum work for a durable message. */
async function serveFloor(databaseUrl: string): Promise<void> {
  const database = new pg.Pool({ connectionString: databaseUrl, max: 20 });
  await database.query('CREATE TABLE floor_inbound (id text PRIMARY KEY, sender text, body jsonb)');
  serveCallbackFloor<Inbound>((values) => {
    const messages = values.flatMap((value) => value.messages);
    return database.query({
      name: 'inbound',
      text: 'INSERT INTO floor_inbound SELECT * FROM unnest($1::text[], $2::text[], $3::jsonb[])',
      values: [messages.map(({ id }) => id), messages.map(({ from }) => from), messages.map((m) => JSON.stringify(m))],
    });
  });
}

interface Inbound {
  readonly messages: readonly { readonly id: string; readonly from: string }[];
}

/** Signed callbacks: everybody writes once, then again. */
function callbacksOf(account: BenchAccount, round: number): { body: string; headers: Record<string, string> }[] {
  return Array.from({ length: PEOPLE * MESSAGES_EACH }, (_, index) => {
    const message = {
      from: `4915${round}${String(index % PEOPLE).padStart(8, '0')}`,
      id: `wamid.${newRecordId()}`,
      timestamp: String(Math.floor(Date.now() / 1000)),
      type: 'text',
      text: { body: 'Could you leave it with the neighbours if I am out?' },
    };
    const body = callbackBody(account, 'messages', [message]);
    return { body, headers: signedHeaders(body) };
  });
}

async function bench(): Promise<void> {
  const stack = await Stack.start();
  const floor: ChildProcess = fork(fileURLToPath(import.meta.url), ['floor', stack.databaseUrl]);
  try {
    const [port] = (await once(floor, 'message')) as [number];
    const account = await stack.account();
    const processes = [...stack.processes, { name: 'floor', pid: floor.pid ?? 0 }, { name: 'load', pid: process.pid }];
    const results: Record<'floor' | 'ours', LoadResult[]> = { floor: [], ours: [] };
    const spent = { floor: new ProcessorTimeSpent(), ours: new ProcessorTimeSpent() };
    for (let round = 0; round <= ROUNDS; round += 1) {
      const callbacks = callbacksOf(account, round);
      const send = (origin: string, path: string): Promise<LoadResult> =>
        load(origin, {
          connections: CONNECTIONS,
          requests: callbacks.length,
          next: (index) => ({ path, ...(callbacks[index] as (typeof callbacks)[number]) }),
        });
      const start = await processorTime(processes);
      const floorResult = await send(`http://127.0.0.1:${port}`, '/');
      const middle = await processorTime(processes);
      const ourResult = await send(stack.baseUrl, '/network/callbacks');
      if (round === 0) continue; // warm-up
      spent.floor.add(start, middle);
      spent.ours.add(middle, await processorTime(processes));
      results.floor.push(floorResult);
      results.ours.push(ourResult);
    }
    for (const [name, runs] of Object.entries(results)) {
      const latencies = runs.flatMap((run) => run.latencies);
      show(name, {
        'messages/s': Math.round(median(runs.map((run) => run.perSecond))),
        'p50 ms': quantile(latencies, 0.5).toFixed(1),
        'p99 ms': quantile(latencies, 0.99).toFixed(1),
        failures: runs.reduce((sum, { failures }) => sum + failures, 0),
      });
    }
    const messages = (ROUNDS * PEOPLE * MESSAGES_EACH) / 1000;
    show('floor, CPU ms per 1,000', spent.floor.perItem(messages));
    show('ours, CPU ms per 1,000', spent.ours.perItem(messages));
    const perSecond = (runs: readonly LoadResult[]): number => median(runs.map((run) => run.perSecond));
    console.log(`  ours is ${Math.round((100 * perSecond(results.ours)) / perSecond(results.floor))} % of the floor`);
  } finally {
    floor.kill();
    await stack.stop();
  }
}

const [role, databaseUrl = ''] = process.argv.slice(2);
if (role === 'floor') await serveFloor(databaseUrl);
else await bench();
