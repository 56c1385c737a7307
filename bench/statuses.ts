import 'reflect-metadata';
import { type ChildProcess, fork } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { newRecordId } from '../src/values/record-id.js';
import { median, quantile, show } from './support/figures.js';
import { type LoadResult, load } from './support/load.js';
import { ProcessorTimeSpent, processorTime } from './support/processor-time.js';
import { APP_SECRET, type BenchAccount, Stack } from './support/stack.js';

// Status callbacks, durable before 200: ours beside a floor of bare node:http that checks the signature and commits one
// set-based UPDATE per body, on the same database, in turns.

const CONNECTIONS = 64;
const ROUNDS = 3;
const STATUSES = ['sent', 'delivered', 'read'];
const SINGLE_BODIES = Number(process.env['BENCH_BODIES'] ?? 9000);
const FULL_BODIES = Number(process.env['BENCH_FULL_BODIES'] ?? 600);
const SOAK_STATUSES = Number(process.env['BENCH_SOAK'] ?? 500_000);

const sign = (body: string): string => `sha256=${createHmac('sha256', APP_SECRET).update(body).digest('hex')}`;

/** The least that durable reports can be. */
async function serveFloor(databaseUrl: string): Promise<void> {
  const database = new pg.Pool({ connectionString: databaseUrl, max: 20 });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const body = Buffer.concat(chunks).toString();
      if (sign(body) !== request.headers['x-hub-signature-256']) {
        response.writeHead(401).end();
        return;
      }
      const { entry } = JSON.parse(body) as Envelope;
      const statuses = entry.flatMap(({ changes }) => changes.flatMap(({ value }) => value.statuses));
      await database.query({
        name: 'reports',
        text: 'UPDATE floor_messages m SET status = r.status FROM unnest($1::uuid[], $2::text[]) AS r (id, status) WHERE m.id = r.id',
        values: [statuses.map((status) => status.biz_opaque_callback_data), statuses.map(({ status }) => status)],
      });
      response.end('{}');
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

interface Envelope {
  entry: { changes: { value: { statuses: { biz_opaque_callback_data: string; status: string }[] } }[] }[];
}

/** One callback body with its signature. */
interface Callback {
  readonly body: string;
  readonly signature: string;
}

/** Callbacks of `perBody` reports each: every message is sent, then delivered, then read. */
function callbacksOf(account: BenchAccount, ids: readonly string[], perBody: number): Callback[] {
  const reports = STATUSES.flatMap((status) => ids.map((id) => ({ id, status })));
  const callbacks: Callback[] = [];
  for (let from = 0; from < reports.length; from += perBody) {
    const statuses = reports.slice(from, from + perBody).map(({ id, status }) => ({
      id: `wamid.${id}`,
      status,
      timestamp: String(Math.floor(Date.now() / 1000)),
      recipient_id: '4915112345678',
      biz_opaque_callback_data: id,
    }));
    const value = {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '15550000001', phone_number_id: account.phoneNumberId },
      statuses,
    };
    const body = JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ id: account.wabaId, changes: [{ field: 'messages', value }] }],
    });
    callbacks.push({ body, signature: sign(body) });
  }
  return callbacks;
}

/** Messages that the network has accepted, made by SQL. */
async function messages(stack: Stack, account: BenchAccount, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newRecordId());
  const tx = stack.unitOfWork.autocommit;
  const contact = await tx.row<{ id: string }>(
    `INSERT INTO contacts (account_id, id, phone_number, first_name, source) VALUES ($1, $2, '4915112345678', 'Ada', 'api')
     ON CONFLICT (account_id, phone_number) WHERE phone_number IS NOT NULL DO UPDATE SET first_name = 'Ada' RETURNING id`,
    [account.accountId, newRecordId()],
  );
  await tx.affected(
    `INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, status, seen,
                           network_message_id, accepted_at)
     SELECT $1, id, 'out', $2, $3, 'template', 'sent', 1, 'wamid.' || id, now() FROM unnest($4::uuid[]) AS id`,
    [account.accountId, contact?.id, account.businessPhoneId, ids],
  );
  await tx.affected(`INSERT INTO floor_messages (id, status) SELECT id, 'pending' FROM unnest($1::uuid[]) AS id`, [
    ids,
  ]);
  return ids;
}

const send = (origin: string, path: string, callbacks: readonly Callback[]): Promise<LoadResult> =>
  load(origin, {
    connections: CONNECTIONS,
    requests: callbacks.length,
    next: (index) => {
      const { body, signature } = callbacks[index] as Callback;
      return { path, headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature }, body };
    },
  });

/** Resident memory of the service, MB. */
const memoryOf = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);

/** Where the floor listens, and its process. */
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
  console.log(`${perBody} report(s) a body, ${bodies} bodies a round, ${CONNECTIONS} connections`);
  const results: Record<'floor' | 'ours', LoadResult[]> = { floor: [], ours: [] };
  const processes = [...stack.processes, { name: 'floor', pid: floor.pid }, { name: 'load', pid: process.pid }];
  const spent = { floor: new ProcessorTimeSpent(), ours: new ProcessorTimeSpent() };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const ids = await messages(stack, account, (bodies * perBody) / STATUSES.length);
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
  show('floor, processor ms per 1,000', spent.floor.perPiece(reports));
  show('ours, processor ms per 1,000', spent.ours.perPiece(reports));
  const ratio = median(results.ours.map((run) => run.perSecond)) / median(results.floor.map((run) => run.perSecond));
  console.log(`  ours is ${Math.round(ratio * 100)} % of the floor`);
}

async function soak(stack: Stack, account: BenchAccount): Promise<void> {
  const pid = stack.service.pid ?? 0;
  const figures: number[] = [];
  const part = 50_000;
  for (let done = 0; done < SOAK_STATUSES; done += part) {
    const ids = await messages(stack, account, Math.ceil(part / STATUSES.length));
    await send(stack.baseUrl, '/network/callbacks', callbacksOf(account, ids, 100));
    figures.push(memoryOf(pid));
  }
  console.log(`Memory of the service over ${SOAK_STATUSES.toLocaleString('en-US')} reports, MB: ${figures.join(' ')}`);
}

async function bench(): Promise<void> {
  const stack = await Stack.start();
  await stack.unitOfWork.autocommit.affected('CREATE TABLE floor_messages (id uuid PRIMARY KEY, status text)');
  const floor: ChildProcess = fork(fileURLToPath(import.meta.url), ['floor', stack.databaseUrl]);
  try {
    const [port] = (await once(floor, 'message')) as [number];
    const account = await stack.account();
    const at = { origin: `http://127.0.0.1:${port}`, pid: floor.pid ?? 0 };
    await compare(stack, account, at, 1, SINGLE_BODIES);
    console.log('  (wanted: at least 3,300/s, p50 at most 25 ms, p99 at most 100 ms)');
    await compare(stack, account, at, 100, FULL_BODIES);
    console.log('  (wanted: at least 20,000 reports/s)');
    await soak(stack, account);
  } finally {
    floor.kill();
    await stack.stop();
  }
}

const [role, databaseUrl = ''] = process.argv.slice(2);
if (role === 'floor') await serveFloor(databaseUrl);
else await bench();
