import 'reflect-metadata';
import pg from 'pg';
import { show } from './support/figures.js';
import { ProcessorTimeSpent, processorTime } from './support/processor-time.js';
import { Stack } from './support/stack.js';

// What a service costs that has nothing to do: four processes on a fresh database, once the work of their start is over.

/** Collections of garbage follow a start for about a minute. */
const SETTLE_MS = Number(process.env['BENCH_SETTLE_S'] ?? 60) * 1000;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 30);

async function bench(): Promise<void> {
  const stack = await Stack.start({}, { workers: 3 });
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    await pause(SETTLE_MS);
    const [commitsBefore, before] = [await commits(client), await processorTime(stack.processes)];
    await pause(SECONDS * 1000);
    const [commitsAfter, after] = [await commits(client), await processorTime(stack.processes)];
    const spent = new ProcessorTimeSpent();
    spent.add(before, after);
    show('an api and three workers', {
      'commits/s': ((commitsAfter - commitsBefore) / SECONDS).toFixed(1),
      ...Object.fromEntries(Object.entries(spent.perItem(SECONDS)).map(([name, ms]) => [`${name} ms/s`, ms])),
    });
  } finally {
    await client.end();
    await stack.stop();
  }
}

/** Transactions of the service's database since it was made. Each session reports its own about once a second. */
async function commits(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ commits: string }>(
    'SELECT xact_commit + xact_rollback AS commits FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(rows[0]?.commits ?? 0);
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

await bench();
