import 'reflect-metadata';
import pg from 'pg';
import { loadEnvironment, newEncryptionKey } from '../src/config/environment.js';
import { createPartitions, PARTITIONED_TABLES, partitionAt } from '../src/database/schema/partitions.js';
import { MANIFEST } from '../src/rooms.js';
import { Metrics } from '../src/runtime/metrics.js';
import { PartitionSweep } from '../src/upkeep/partition.sweep.js';
import { DAY } from '../src/values/clock.js';
import { storeTemplate } from './support/campaign-run.js';
import { quantile, show } from './support/figures.js';
import { type LoadResult, load } from './support/load.js';
import { Sink } from './support/sink.js';
import { APP_SECRET, authorizationOf, type BenchAccount, Stack } from './support/stack.js';

// Drops an expired partition of a million events while a dump reads the table and single sends write to it. Compares
// the slowest request with and without the drop.

const ROWS = Number(process.env['BENCH_ROWS'] ?? 1_000_000);
const SENDS = Number(process.env['BENCH_REQUESTS'] ?? 6000);
const EXPIRED_DAYS = 45;

const send = (stack: Stack, account: BenchAccount): Promise<LoadResult> =>
  load(stack.baseUrl, {
    connections: 8,
    requests: SENDS,
    next: (index) => ({
      path: '/api/v1/messages/send',
      headers: { ...authorizationOf(account), 'content-type': 'application/json' },
      body: JSON.stringify({ template_name: 'bench', contact_phone: String(4_915_100_000_000 + (index % 500)) }),
    }),
  });

const print = (name: string, { perSecond, latencies, failures }: LoadResult): void =>
  show(name, {
    'requests/s': Math.round(perSecond),
    'p50 ms': quantile(latencies, 0.5).toFixed(1),
    'p99 ms': quantile(latencies, 0.99).toFixed(1),
    'slowest ms': Math.max(...latencies).toFixed(0),
    failures,
  });

async function bench(): Promise<void> {
  const sink = await Sink.start();
  const stack = await Stack.start({ NETWORK_BASE_URL: sink.url });
  const pool = new pg.Pool({ connectionString: stack.databaseUrl, max: 4 });
  try {
    const account = await stack.account();
    await storeTemplate(stack, account, 'bench');
    const events = PARTITIONED_TABLES.find(({ table }) => table === 'events');
    if (events === undefined) throw new Error('the table events is not partitioned');
    const expired = partitionAt(events, new Date(Date.now() - EXPIRED_DAYS * DAY));
    await createPartitions(pool, events, [expired]);
    await pool.query(
      `INSERT INTO events (account_id, id, occurred_at, kind, body)
       SELECT $1, encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) PLACING
                substring(int8send(floor(extract(epoch FROM $2::timestamptz) * 1000)::bigint + 1000) FROM 3) FROM 1 FOR 6),
                52, 1), 53, 1), 'hex')::uuid, $2, 'message.read', repeat('x', 400)
       FROM generate_series(1, $3::int)`,
      [account.accountId, expired.from, ROWS],
    );
    await pool.query('CHECKPOINT');
    await send(stack, account);
    print('without a drop', await send(stack, account));

    const dump = await pool.connect();
    await dump.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await dump.query('SELECT count(*) FROM events');
    const environment = loadEnvironment(MANIFEST, {
      DATABASE_URL: stack.databaseUrl,
      NETWORK_APP_ID: '1',
      NETWORK_APP_SECRET: APP_SECRET,
      NETWORK_VERIFY_TOKEN: 'bench',
      ENCRYPTION_KEY: newEncryptionKey(),
      RETENTION_DAYS: '30',
    });
    const sweep = new PartitionSweep(stack.unitOfWork, environment, new Metrics());
    const [during] = await Promise.all([send(stack, account), sweep.sweep()]);
    print('while a dump delays the drop', during);
    const [after] = await Promise.all([
      send(stack, account),
      dump.query('COMMIT').then(async () => {
        dump.release();
        await sweep.sweep();
      }),
    ]);
    print('during the drop', after);
    const { rows } = await pool.query('SELECT to_regclass($1) IS NULL AS gone', [expired.name]);
    console.log(`  the partition of ${ROWS.toLocaleString('en-US')} rows is ${rows[0]?.gone ? 'gone' : 'still there'}`);
  } finally {
    await pool.end();
    await stack.stop();
    sink.stop();
  }
}

await bench();
