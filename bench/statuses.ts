import 'reflect-metadata';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createFloorMessages, storeAcceptedMessages } from './support/accepted-messages.js';
import { serveCallbackFloor } from './support/callback-floor.js';
import { callbackBody, signedHeaders, statusReport } from './support/callbacks.js';
import { median, quantile, show } from './support/figures.js';
import { type LoadResult, load } from './support/load.js';
import { memoryOf } from './support/memory.js';
import { ProcessorTimeSpent, processorTime } from './support/processor-time.js';
import { type BenchAccount, Stack } from './support/stack.js';

// Status callbacks, stored before the 200 response. Compares Parley with a floor of bare node:http that checks the
// signature and commits one set-based UPDATE per body. Both use the same database and take turns.

const CONNECTIONS = 64;
const ROUNDS = 3;
const STATUSES = ['sent', 'delivered', 'read'];
const SINGLE_BODIES = Number(process.env['BENCH_BODIES'] ?? 9000);
const FULL_BODIES = Number(process.env['BENCH_FULL_BODIES'] ?? 600);
const SOAK_STATUSES = Number(process.env['BENCH_SOAK'] ?? 500_000);

/** The floor: the minimum work for durable reports. */
function serveFloor(databaseUrl: string): void {
  const database = new pg.Pool({ connectionString: databaseUrl, max: 20 });
  serveCallbackFloor<Reports>((values) => {
    const statuses = values.flatMap((value) => value.statuses);
    return database.query({
      name: 'reports',
      text: 'UPDATE floor_messages m SET status = r.status FROM unnest($1::uuid[], $2::text[]) AS r (id, status) WHERE m.id = r.id',
      values: [statuses.map((status) => status.biz_opaque_callback_data), statuses.map(({ status }) => status)],
    });
  });
}

interface Reports {
  readonly statuses: readonly { readonly biz_opaque_callback_data: string; readonly status: string }[];
}

/** A callback, signed before the measurement starts. */
interface Callback {
  readonly body: string;
  readonly headers: Record<string, string>;
}

/** Callbacks of `perBody` reports each: all messages are sent, then delivered, then read. */
function callbacksOf(account: BenchAccount, ids: readonly string[], perBody: number): Callback[] {
  const reports = STATUSES.flatMap((status) => ids.map((id) => ({ id, status })));
  const callbacks: Callback[] = [];
  for (let from = 0; from < reports.length; from += perBody) {
    const statuses = reports
      .slice(from, from + perBody)
      .map(({ id, status }) => statusReport({ id, network_message_id: `wamid.${id}` }, status));
    const body = callbackBody(account, 'statuses', statuses);
    callbacks.push({ body, headers: signedHeaders(body) });
  }
  return callbacks;
}

const send = (origin: string, path: string, callbacks: readonly Callback[]): Promise<LoadResult> =>
  load(origin, {
    connections: CONNECTIONS,
    requests: callbacks.length,
    next: (index) => {
      const { body, headers } = callbacks[index] as Callback;
      return { path, headers, body };
    },
  });

interface Floor {
  readonly origin: string;
  readonly pid: number;
}

async function compare(
  stack: Stack,
  account: BenchAccount,
  floor: Floor,
  perBody: number,
  bodies: number,
): Promise<void> {
  console.log(`Reports per body: ${perBody}; ${bodies} bodies per round, ${CONNECTIONS} connections`);
  const results: Record<'floor' | 'ours', LoadResult[]> = { floor: [], ours: [] };
  const processes = [...stack.processes, { name: 'floor', pid: floor.pid }, { name: 'load', pid: process.pid }];
  const spent = { floor: new ProcessorTimeSpent(), ours: new ProcessorTimeSpent() };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const ids = await storeAcceptedMessages(stack, account, (bodies * perBody) / STATUSES.length);
    const callbacks = callbacksOf(account, ids, perBody);
    const start = await processorTime(processes);
    const floorResult = await send(floor.origin, '/', callbacks);
    const middle = await processorTime(processes);
    const ourResult = await send(stack.baseUrl, '/network/callbacks', callbacks);
    if (round === 0) continue; // warm-up
    spent.floor.add(start, middle);
    spent.ours.add(middle, await processorTime(processes));
    results.floor.push(floorResult);
    results.ours.push(ourResult);
  }
  for (const [name, runs] of Object.entries(results)) {
    const latencies = runs.flatMap((run) => run.latencies);
    show(name, {
      'bodies/s': Math.round(median(runs.map((run) => run.perSecond))),
      'reports/s': Math.round(median(runs.map((run) => run.perSecond)) * perBody),
      'p50 ms': quantile(latencies, 0.5).toFixed(1),
      'p99 ms': quantile(latencies, 0.99).toFixed(1),
      failures: runs.reduce((sum, { failures }) => sum + failures, 0),
    });
  }
  const reports = (ROUNDS * bodies * perBody) / 1000;
  show('floor, CPU ms per 1,000', spent.floor.perItem(reports));
  show('ours, CPU ms per 1,000', spent.ours.perItem(reports));
  const ratio = median(results.ours.map((run) => run.perSecond)) / median(results.floor.map((run) => run.perSecond));
  console.log(`  ours is ${Math.round(ratio * 100)} % of the floor`);
}

async function soak(stack: Stack, account: BenchAccount): Promise<void> {
  const pid = stack.service.pid ?? 0;
  const figures: number[] = [];
  const batch = 50_000;
  for (let done = 0; done < SOAK_STATUSES; done += batch) {
    const ids = await storeAcceptedMessages(stack, account, Math.ceil(batch / STATUSES.length));
    await send(stack.baseUrl, '/network/callbacks', callbacksOf(account, ids, 100));
    figures.push(memoryOf(pid));
  }
  console.log(`Memory of the service over ${SOAK_STATUSES.toLocaleString('en-US')} reports, MB: ${figures.join(' ')}`);
}

async function bench(): Promise<void> {
  const stack = await Stack.start();
  await createFloorMessages(stack);
  const floor: ChildProcess = fork(fileURLToPath(import.meta.url), ['floor', stack.databaseUrl]);
  try {
    const [port] = (await once(floor, 'message')) as [number];
    const account = await stack.account();
    const at = { origin: `http://127.0.0.1:${port}`, pid: floor.pid ?? 0 };
    await compare(stack, account, at, 1, SINGLE_BODIES);
    console.log('  (target: at least 3,300/s, p50 at most 25 ms, p99 at most 100 ms)');
    await compare(stack, account, at, 100, FULL_BODIES);
    console.log('  (target: at least 20,000 reports/s)');
    await soak(stack, account);
  } finally {
    floor.kill();
    await stack.stop();
  }
}

const [role, databaseUrl = ''] = process.argv.slice(2);
if (role === 'floor') serveFloor(databaseUrl);
else await bench();
