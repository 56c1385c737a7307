import 'reflect-metadata';
import pg from 'pg';
import { report, type SentMessage } from './support/callbacks.js';
import { runCampaign, storeTemplate } from './support/campaign-run.js';
import { show } from './support/figures.js';
import { fillDatabase } from './support/filled-database.js';
import { type LoadResult, load } from './support/load.js';
import { ProcessorTimeSpent, processorTime } from './support/processor-time.js';
import { Sink } from './support/sink.js';
import { authorizationOf, type BenchAccount, Stack } from './support/stack.js';
import { STATEMENT_SETTINGS } from './support/statements.js';

// The same work on a new, empty database and on full ones: campaigns, single sends and status reports should cost the
// same, and so should each statement. The bench never runs ANALYZE itself.

const SIZES = (process.env['BENCH_SIZES'] ?? '0,1000000').split(',').map(Number);
const RECIPIENTS = Number(process.env['BENCH_RECIPIENTS'] ?? 10_000);
const SENDS = Number(process.env['BENCH_REQUESTS'] ?? 4000);
/** Seconds without autovacuum activity after which autovacuum counts as done; its naptime below is shorter. */
const QUIET_S = 15;
const SETTINGS = { ...STATEMENT_SETTINGS, autovacuum_naptime: '5s' };
/** Statements with fewer calls are ignored. */
const MIN_CALLS = 20;

/** Blocks touched per call, by the text of the statement. */
type Blocks = Map<string, number>;

/** The results on one database. */
interface Growth {
  readonly size: number;
  readonly phases: ReadonlyMap<string, Record<string, string | number>>;
  readonly blocks: Blocks;
}

async function measure(size: number): Promise<Growth> {
  const sink = await Sink.start();
  const stack = await Stack.start({ NETWORK_BASE_URL: sink.url }, { settings: SETTINGS });
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    const account = await stack.account();
    await storeTemplate(stack, account, 'bench');
    await fillDatabase(stack.databaseUrl, size, account.accountId);
    if (size > 0) {
      await autovacuumIdle(client);
      await client.query('CHECKPOINT');
    }
    // Autovacuum's CPU time would distort whichever round it runs in.
    await client.query('ALTER SYSTEM SET autovacuum = off');
    await client.query('SELECT pg_reload_conf()');
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    await client.query('SELECT pg_stat_statements_reset()');
    const phases = new Map<string, Record<string, string | number>>();
    let since = await processorTime(stack.processes);
    const restart = async () => {
      since = await processorTime(stack.processes);
    };
    const phase = async (name: string, items: number, work: () => Promise<Record<string, string | number>>) => {
      await restart();
      const figures = await work();
      const spent = new ProcessorTimeSpent();
      spent.add(since, await processorTime(stack.processes));
      phases.set(name, { ...figures, ...withUnit(spent.perItem(items / 1000)) });
    };
    for (const round of [1, 2, 3]) {
      await phase(`campaign ${round}`, RECIPIENTS, async () => {
        const firstPhone = 4_915_100_000_000 + round * RECIPIENTS;
        const campaign = { template: 'bench', recipients: RECIPIENTS, firstPhone };
        const run = await runCampaign(stack, sink, account, campaign, restart);
        return {
          'messages/s': Math.round(run.perSecond),
          'create ms': Math.round(run.createMs),
          'send ms': Math.round(run.sendMs),
        };
      });
    }
    await phase('single sends', SENDS, async () => rateOf(await sendSingly(stack, account)));
    await phase('reports of 100', RECIPIENTS * 3, async () => rateOf(await reportLatest(stack, account, client), 100));
    return { size, phases, blocks: await blocksOf(client) };
  } finally {
    await client.end();
    await stack.stop();
    sink.stop();
  }
}

/** Waits until autovacuum has processed the new rows, so that its work does not count towards the campaigns. */
async function autovacuumIdle(client: pg.Client): Promise<void> {
  for (let quietFor = 0; quietFor < QUIET_S; quietFor += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const { rows } = await client.query("SELECT 1 FROM pg_stat_activity WHERE backend_type = 'autovacuum worker'");
    if (rows.length > 0) quietFor = -1;
  }
}

const withUnit = (spent: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(spent).map(([name, value]) => [`${name} µs`, value]));

const rateOf = ({ perSecond, failures }: LoadResult, each = 1): Record<string, number> => ({
  'items/s': Math.round(perSecond * each),
  failures,
});

/** Sends single messages to the contacts of the first campaign. */
const sendSingly = (stack: Stack, account: BenchAccount): Promise<LoadResult> =>
  load(stack.baseUrl, {
    connections: 16,
    requests: SENDS,
    next: (index) => ({
      path: '/api/v1/messages/send',
      headers: { ...authorizationOf(account), 'content-type': 'application/json' },
      body: JSON.stringify({ template_name: 'bench', contact_phone: String(4_915_100_000_000 + RECIPIENTS + index) }),
    }),
  });

/** Reports each message of the latest campaign three times. */
async function reportLatest(stack: Stack, account: BenchAccount, client: pg.Client): Promise<LoadResult> {
  const { rows } = await client.query<SentMessage>(
    `SELECT m.id, m.network_message_id, c.phone_number FROM messages m
     JOIN contacts c ON c.account_id = m.account_id AND c.id = m.contact_id
     WHERE m.account_id = $1 AND m.campaign_id = (SELECT id FROM campaigns WHERE account_id = $1 ORDER BY id DESC LIMIT 1)`,
    [account.accountId],
  );
  return report(stack, account, rows);
}

async function blocksOf(client: pg.Client): Promise<Blocks> {
  const { rows } = await client.query<{ text: string; blocks: string }>(
    `SELECT regexp_replace(query, '\\s+', ' ', 'g') AS text,
            round((shared_blks_hit + shared_blks_read)::numeric / greatest(calls, rows / 100, 1)) AS blocks
     FROM pg_stat_statements
     WHERE toplevel AND calls >= ${MIN_CALLS} AND query ~ '(messages|campaign_recipients|contacts|conversations|events|sends_in_flight|outbox|counter|rate_limit)'
       AND query !~ 'pg_|bullmq|ANALYZE'`,
  );
  return new Map(rows.map(({ text, blocks }) => [text, Number(blocks)]));
}

const results: Growth[] = [];
for (const size of SIZES) {
  const growth = await measure(size);
  results.push(growth);
  console.log(`With ${size.toLocaleString('en-US')} messages`);
  for (const [name, figures] of growth.phases) show(name, figures);
}
const [first, ...others] = results;
if (first !== undefined && others.length > 0) {
  console.log('Blocks per call, or per 100 rows for statements with more rows');
  for (const [text, blocks] of [...first.blocks].sort(([, a], [, b]) => b - a)) {
    const grown = others.map(({ blocks: each }) => each.get(text) ?? 0);
    const worst = Math.max(...grown) / Math.max(blocks, 1);
    const mark = worst > 2 && Math.max(...grown) > 20 ? '  ← more than doubled' : '';
    console.log(
      `  ${[blocks, ...grown].map((each) => String(each).padStart(8)).join('')}  ${text.slice(0, 90)}${mark}`,
    );
  }
}
