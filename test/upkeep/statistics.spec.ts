import { partitionAt } from '../../src/database/schema/partitions.js';
import { ConnectionDatabase } from '../../src/database/unit-of-work.js';
import { findOutgrownTables } from '../../src/upkeep/statistics.queries.js';
import { StatisticsSweep } from '../../src/upkeep/statistics.sweep.js';
import { newRecordId } from '../../src/values/record-id.js';
import { idAt, UpkeepDatabase } from './upkeep-database.js';

describe('planner statistics', () => {
  let database: UpkeepDatabase;
  beforeAll(async () => {
    database = await UpkeepDatabase.open();
    // Keeps autovacuum from doing it.
    await database.foreign.query('CREATE TABLE plain (id integer PRIMARY KEY, label text)');
    for (const table of ['plain', partition()]) {
      await database.foreign.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
    }
  });
  beforeEach(() => database.foreign.query('TRUNCATE plain'));
  afterAll(() => database.close());

  /** One moment for all of them: midnight may come in between. */
  const at = new Date();
  const partition = () => partitionAt({ table: 'events', period: 'day', fillfactor: 100 }, at).name;
  const sweep = () => new StatisticsSweep(database.unitOfWork).sweep();
  const fill = async (from: number, until: number) => {
    await database.foreign.query(`INSERT INTO plain SELECT n, 'row ' || n FROM generate_series($1::int, $2::int) n`, [
      from,
      until,
    ]);
    await shown();
  };
  /** Flushes row counts, which sessions share at most once a second. */
  const shown = () =>
    database.foreign.query('SELECT pg_stat_force_next_flush()').then(() => database.foreign.query('SELECT 1'));
  const known = async (table: string) => {
    const { rows } = await database.foreign.query<{ reltuples: number; analyses: string }>(
      'SELECT reltuples, pg_stat_get_analyze_count(oid) AS analyses FROM pg_class WHERE oid = $1::regclass',
      [table],
    );
    return { rows: rows[0]?.reltuples, analyses: Number(rows[0]?.analyses) };
  };

  it('are refreshed once for a table that has grown', async () => {
    const { analyses } = await known('plain');
    await fill(1, 5000);
    await sweep();
    expect(await known('plain')).toEqual({ rows: 5000, analyses: analyses + 1 });
    await sweep();
    await fill(5001, 6000);
    await sweep();
    expect((await known('plain')).analyses).toBe(analyses + 1);
    await fill(6001, 10_000);
    await sweep();
    expect(await known('plain')).toEqual({ rows: 10_000, analyses: analyses + 2 });
  });

  it('are refreshed for a partition', async () => {
    await database.foreign.query(
      `INSERT INTO events (account_id, id, occurred_at, kind, body)
       SELECT $1, overlay($2::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, now(), 'test', '{}'
       FROM generate_series(1, 800) n`,
      [newRecordId(), idAt(at)],
    );
    await shown();
    await sweep();
    expect((await known(partition())).rows).toBe(800);
  });

  it('are left alone for small tables and for mere updates', async () => {
    const { analyses } = await known('plain');
    await fill(1, 400);
    await sweep();
    expect((await known('plain')).analyses).toBe(analyses);
    await fill(401, 1000);
    await sweep();
    expect((await known('plain')).analyses).toBe(analyses + 1);
    for (let turn = 0; turn < 3; turn += 1) await database.foreign.query(`UPDATE plain SET label = 'changed'`);
    await shown();
    await sweep();
    expect((await known('plain')).analyses).toBe(analyses + 1);
  });

  it('do not wait for a table that another session is changing', async () => {
    const { analyses } = await known('plain');
    await fill(1, 2000);
    await database.foreign.query('BEGIN');
    await database.foreign.query('LOCK TABLE plain IN SHARE UPDATE EXCLUSIVE MODE');
    await sweep();
    await database.foreign.query('ROLLBACK');
    expect((await known('plain')).analyses).toBe(analyses);
    await sweep();
    expect((await known('plain')).analyses).toBe(analyses + 1);
  });

  it('of another owner’s table are left to that owner', async () => {
    const role = `somebody_${newRecordId().slice(-8)}`;
    const { foreign, unitOfWork } = database;
    const found = async () =>
      (await findOutgrownTables(new ConnectionDatabase(foreign, unitOfWork.autocommit.manager))).map(
        ({ name }) => name,
      );
    await fill(1, 5000);
    expect(await found()).toContain('plain');
    await foreign.query(`CREATE ROLE ${role}`);
    try {
      await foreign.query(`SET ROLE ${role}`);
      expect(await found()).toEqual([]);
    } finally {
      await foreign.query('RESET ROLE');
      await foreign.query(`DROP ROLE ${role}`);
    }
  });

  it('make open connections replan', async () => {
    const client = await database.connect('-c plan_cache_mode=force_generic_plan');
    const planned = async () => JSON.stringify((await client.query('EXPLAIN EXECUTE found(7)')).rows);
    await client.query('PREPARE found (integer) AS SELECT label FROM plain WHERE id > $1');
    // Without statistics the planner expects a condition like this to match a third of the rows.
    const aThird = 'rows=6667 ';
    expect(await planned()).not.toContain(aThird);
    await fill(1, 20_000);
    expect(await planned()).not.toContain(aThird);
    await sweep();
    expect(await planned()).toContain(aThird);
  });
});
