import pg from 'pg';
import {
  createPartitions,
  PARTITIONED_TABLES,
  type Partition,
  partitionAt,
} from '../../src/database/schema/partitions.js';
import { DAY } from '../../src/values/clock.js';
import { until } from '../support/until.js';
import { activityOf, Books } from './books.js';
import { FaultStack } from './fault-stack.js';
import { sayFigures } from './figures.js';
import { describeLong } from './long.js';
import { pause } from './pause.js';
import { Traffic } from './traffic.js';
import { badAnswers, heldUp } from './verdict.js';

jest.setTimeout(900_000);

const QUIET_MS = 5000;
/** How long the snapshot is held after each worker starts dropping, milliseconds. */
const HELD_MS = 10_000;
const RECIPIENTS = 1000;
const THROUGHPUT = 100;

/** Expired partitions by age: events by day, messages by month. */
const EXPIRED: readonly (readonly [table: string, days: number])[] = [
  ['events', 45],
  ['events', 40],
  ['webhook_deliveries', 45],
  ['messages', 150],
];

describeLong('a foreign session that holds an old snapshot', () => {
  it('delays dropping partitions, and nothing else', async () => {
    const stack = await FaultStack.start({ MESSAGE_RETENTION_DAYS: '60' });
    try {
      const service = await stack.mainService();
      const traffic = await Traffic.prepare(stack, service, await stack.account(service), { reports: 350 });
      const sender = await stack.account(service, { throughput: THROUGHPUT });
      const quietFrom = traffic.start();
      await pause(QUIET_MS);
      const quiet = traffic.since(quietFrom);
      sayFigures('quiet', quiet);

      const expired = await makeExpired(stack);
      const dump = await stack.foreignSession();
      await dump.holdSnapshot('messages', 'events', 'webhook_deliveries');
      const campaign = await stack.campaign(sender, RECIPIENTS);
      const heldFrom = Date.now();
      // Each worker drops partitions when it starts.
      for (let workers = 0; workers < 2; workers += 1) {
        await stack.service({ PARLEY_ROLES: 'worker' });
        await pause(HELD_MS);
      }
      const during = traffic.since(heldFrom);
      sayFigures('while it is held', during);
      await dump.release();
      await stack.service({ PARLEY_ROLES: 'worker' });
      await until('the partitions are gone', async () => (await remaining(stack, expired)) === 0);
      await traffic.stop();
      await traffic.reportTheRest();
      expect([
        ...badAnswers(traffic.since(heldFrom), { refusals: false }),
        ...heldUp(quiet, during),
        ...(await new Books(stack).findings(activityOf(traffic), { account: sender, campaigns: [campaign] })),
      ]).toEqual([]);
    } finally {
      await stack.stop();
    }
  });
});

async function makeExpired(stack: FaultStack): Promise<Partition[]> {
  const pool = new pg.Pool({ connectionString: stack.databaseUrl, max: 1 });
  const made: Partition[] = [];
  for (const [name, days] of EXPIRED) {
    const table = PARTITIONED_TABLES.find((each) => each.table === name);
    if (table === undefined) throw new Error(`${name} is not partitioned`);
    const partition = partitionAt(table, new Date(Date.now() - days * DAY));
    await createPartitions(pool, table, [partition]);
    made.push(partition);
  }
  await pool.end();
  return made;
}

async function remaining(stack: FaultStack, partitions: readonly Partition[]): Promise<number> {
  const [row] = await stack.query<{ count: string }>(
    'SELECT count(to_regclass(name)) FROM unnest($1::text[]) AS name',
    [partitions.map(({ name }) => name)],
  );
  return Number(row?.count);
}
