import 'reflect-metadata';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { Pool } from 'undici';
import { newRecordId } from '../src/values/record-id.js';
import { sendBare } from './support/bare-send.js';
import { type CampaignRun, runCampaign, storeTemplate } from './support/campaign-run.js';
import { median, show } from './support/figures.js';
import { ProcessorTimeSpent, processorTime } from './support/processor-time.js';
import { Sink } from './support/sink.js';
import { Stack } from './support/stack.js';

// A campaign to 10,000 contacts on a network that accepts messages immediately. Compares Parley with a floor
// of bare pg and undici with one statement per durable step (claim and message, outcome). Both use the same
// database and take turns.

const RECIPIENTS = Number(process.env['BENCH_RECIPIENTS'] ?? 10_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const GROUP = 250;
const LANES = 3;

/** The floor: the minimum work for a durable campaign. */
async function floorProcess(databaseUrl: string, sinkUrl: string): Promise<void> {
  const database = new pg.Pool({ connectionString: databaseUrl, max: LANES });
  await database.query(
    `CREATE TABLE floor_recipients (id uuid PRIMARY KEY, phone text, state text);
     CREATE INDEX ON floor_recipients (id) WHERE state = 'pending';
     CREATE TABLE floor_messages (id uuid PRIMARY KEY, phone text, status text, network_id text) WITH (fillfactor = 50)`,
  );
  const network = new Pool(sinkUrl, { connections: 128, pipelining: 1 });
  const lane = async (): Promise<void> => {
    for (;;) {
      const { rows } = await database.query<{ id: string; phone: string }>({
        name: 'claim',
        text: `WITH claimed AS (
                 UPDATE floor_recipients SET state = 'claimed' WHERE id = ANY (ARRAY(
                   SELECT id FROM floor_recipients WHERE state = 'pending' ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED))
                 RETURNING id, phone
               )
               INSERT INTO floor_messages (id, phone, status) SELECT id, phone, 'pending' FROM claimed RETURNING id, phone`,
        values: [GROUP],
      });
      if (rows.length === 0) return;
      const networkIds = await Promise.all(rows.map(({ id, phone }) => sendBare(network, '1', id, phone)));
      await database.query({
        name: 'outcome',
        text: `UPDATE floor_messages m SET status = 'sent', network_id = o.network_id
               FROM unnest($1::uuid[], $2::text[]) AS o (id, network_id) WHERE m.id = o.id`,
        values: [rows.map(({ id }) => id), networkIds],
      });
    }
  };
  process.on('message', async (firstPhone: number) => {
    const ids = Array.from({ length: RECIPIENTS }, () => newRecordId());
    await database.query(
      `INSERT INTO floor_recipients SELECT id, ($2 + place)::text, 'pending' FROM unnest($1::uuid[]) WITH ORDINALITY AS r (id, place)`,
      [ids, firstPhone],
    );
    const started = performance.now();
    await Promise.all(Array.from({ length: LANES }, lane));
    process.send?.(RECIPIENTS / ((performance.now() - started) / 1000));
  });
  process.send?.('ready');
}

async function bench(): Promise<void> {
  const sink = await Sink.start();
  const stack = await Stack.start({ NETWORK_BASE_URL: sink.url });
  const floor: ChildProcess = fork(fileURLToPath(import.meta.url), ['floor', stack.databaseUrl, sink.url]);
  try {
    await once(floor, 'message');
    const account = await stack.account();
    await storeTemplate(stack, account, 'bench');
    const processes = [...stack.processes, { name: 'sink', pid: sink.pid }, { name: 'floor', pid: floor.pid ?? 0 }];
    const spent = {
      floor: new ProcessorTimeSpent(),
      created: new ProcessorTimeSpent(),
      ours: new ProcessorTimeSpent(),
    };
    const runs: CampaignRun[] = [];
    const floors: number[] = [];
    console.log(`Campaigns to ${RECIPIENTS} new contacts each, starting on a new database`);
    for (let round = 0; round < ROUNDS; round += 1) {
      const firstPhone = 4_915_100_000_000 + round * RECIPIENTS;
      const start = await processorTime(processes);
      floor.send(firstPhone);
      const [rate] = (await once(floor, 'message')) as [number];
      floors.push(rate);
      const middle = await processorTime(processes);
      let created = middle;
      const campaign = { template: 'bench', recipients: RECIPIENTS, firstPhone };
      const run = await runCampaign(stack, sink, account, campaign, async () => {
        created = await processorTime(processes);
      });
      runs.push(run);
      spent.floor.add(start, middle);
      const end = await processorTime(processes);
      spent.created.add(middle, created);
      spent.ours.add(created, end);
      show(`round ${round + 1}`, {
        'floor/s': Math.round(rate),
        'ours/s': Math.round(run.perSecond),
        'create ms': Math.round(run.createMs),
        'send ms': Math.round(run.sendMs),
        'dispatch ms': Math.round(run.dispatchMs),
      });
    }
    const messages = (ROUNDS * RECIPIENTS) / 1000;
    show('floor, CPU µs per message', spent.floor.perItem(messages));
    show('ours, CPU µs per message', spent.ours.perItem(messages));
    show('ours, creation, CPU µs each', spent.created.perItem(messages));
    const ours = median(runs.map(({ perSecond }) => perSecond));
    console.log(`  median ${Math.round(ours)}/s, ${Math.round((100 * ours) / median(floors))} % of the floor`);
  } finally {
    floor.kill();
    await stack.stop();
    sink.stop();
  }
}

const [role, databaseUrl = '', sinkUrl = ''] = process.argv.slice(2);
if (role === 'floor') await floorProcess(databaseUrl, sinkUrl);
else if (role === undefined) await bench();
