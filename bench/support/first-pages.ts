import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removePostgres, startPostgres } from '../../scripts/pg.mjs';
import { createDataSource } from '../../src/database/connections/data-source.js';
import { migrate } from '../../src/database/schema/migrate.js';
import { createPartitions, PARTITIONED_TABLES, partitionsBetween } from '../../src/database/schema/partitions.js';
import { type Database, UnitOfWork } from '../../src/database/unit-of-work.js';
import { MANIFEST } from '../../src/rooms.js';
import { DAY } from '../../src/values/clock.js';
import { median, show } from './figures.js';
import { STATEMENT_SETTINGS } from './statements.js';

const RUNS = Number(process.env['BENCH_REQUESTS'] ?? 25);
/** How many times as much a first page may cost in a larger database. */
const MAX_GROWTH = 2;

/** What a first page costs. */
export interface Cost {
  /** Median. */
  readonly ms: number;
  /** Blocks of 8 KiB touched, whatever else the machine does. */
  readonly blocks: number;
}

/**
 * Measures reads on a database of their own.
 *
 * @param days how far back its partitions reach
 * @param fill fills it and returns what the reads need
 * @returns costs by the name of the read
 */
export async function measureReads<Filled>(
  days: number,
  fill: (db: Database) => Promise<Filled>,
  reads: Iterable<readonly [string, (filled: Filled, db: Database) => Promise<unknown>]>,
): Promise<Map<string, Cost>> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  const settings = { ...STATEMENT_SETTINGS, fsync: 'off', shared_buffers: '512MB' };
  const postgres = await startPostgres({ dataDir: directory, settings });
  try {
    await migrate(postgres.url, MANIFEST);
    const dataSource = createDataSource({ url: postgres.url, poolSize: 1 });
    await dataSource.initialize();
    const { pool, autocommit } = new UnitOfWork(dataSource);
    const [from, until] = [new Date(Date.now() - days * DAY), new Date(Date.now() + 2 * DAY)];
    for (const table of PARTITIONED_TABLES) await createPartitions(pool, table, partitionsBetween(table, from, until));
    const filled = await fill(autocommit);
    await autocommit.rows('VACUUM ANALYZE');
    await autocommit.rows('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    const costs = new Map<string, Cost>();
    for (const [name, read] of reads) {
      const taken: number[] = [];
      await autocommit.rows('SELECT pg_stat_statements_reset()');
      for (let run = 0; run < RUNS; run += 1) {
        const since = performance.now();
        await read(filled, autocommit);
        taken.push(performance.now() - since);
      }
      const touched = await autocommit.row<{ blocks: number }>(
        `SELECT sum(shared_blks_hit + shared_blks_read)::float8 AS blocks FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_%'`,
      );
      costs.set(name, { ms: median(taken), blocks: Math.round((touched?.blocks ?? 0) / RUNS) });
    }
    await dataSource.destroy();
    return costs;
  } finally {
    await removePostgres({ dataDir: directory });
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * Prints the costs in databases of growing size, and fails the bench if one grows too much.
 *
 * @param sizes their sizes, under the word for what was counted
 * @param small growth that does not count, in blocks
 */
export function showGrowth(results: readonly Map<string, Cost>[], sizes: Record<string, string>, small: number): void {
  for (const [name, least] of results[0] ?? []) {
    const costs = results.map((each) => each.get(name) ?? least);
    const most = Math.max(...costs.map(({ blocks }) => blocks));
    const grows = most > MAX_GROWTH * least.blocks && most - least.blocks > small;
    if (grows) process.exitCode = 1;
    show(name, {
      ...sizes,
      blocks: costs.map(({ blocks }) => blocks).join(', '),
      ms: costs.map(({ ms }) => ms.toFixed(1)).join(', '),
      growth: `${(most / least.blocks).toFixed(1)}${grows ? ' TOO MUCH' : ''}`,
    });
  }
}
