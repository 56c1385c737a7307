import pg from 'pg';
import type { CounterKey } from '../../src/counters/counter.queries.js';
import { CounterFoldSweep } from '../../src/counters/counter-fold.sweep.js';
import { createDataSource } from '../../src/database/connections/data-source.js';
import { type Database, UnitOfWork } from '../../src/database/unit-of-work.js';
import { newRecordId } from '../../src/values/record-id.js';
import { freshDatabase } from '../support/database.js';
import { until } from '../support/until.js';

/** The exact count, including changes that are not folded yet. */
async function sumOf({ accountId, counter, subjectId }: CounterKey, db: Database): Promise<number> {
  const row = await db.row<{ amount: number }>(
    `SELECT coalesce(sum(amount), 0)::bigint AS amount FROM counter_amounts
     WHERE account_id = $1 AND counter = $2 AND subject_id = $3`,
    [accountId, counter, subjectId],
  );
  return row?.amount ?? 0;
}

describe('counters', () => {
  let dataSource: ReturnType<typeof createDataSource>;
  let unitOfWork: UnitOfWork;
  let fold: CounterFoldSweep;
  let foreign: pg.Client;

  beforeAll(async () => {
    const url = await freshDatabase();
    dataSource = await createDataSource({ url, poolSize: 12 }).initialize();
    unitOfWork = new UnitOfWork(dataSource);
    fold = new CounterFoldSweep(unitOfWork);
    foreign = new pg.Client({ connectionString: url });
    await foreign.connect();
  });
  afterAll(async () => {
    await foreign.end();
    await dataSource.destroy();
  });

  const newKey = (counter = 'contacts'): CounterKey => {
    const id = newRecordId();
    return { accountId: id, counter, subjectId: id };
  };
  const append = ({ accountId, counter, subjectId }: CounterKey, amount: number, tx = unitOfWork.autocommit) =>
    tx.affected('INSERT INTO counter_changes (account_id, counter, subject_id, amount) VALUES ($1, $2, $3, $4)', [
      accountId,
      counter,
      subjectId,
      amount,
    ]);
  const sum = (key: CounterKey) => sumOf(key, unitOfWork.autocommit);
  const countOf = async (table: string, { accountId }: CounterKey): Promise<number> => {
    const row = await unitOfWork.autocommit.row<{ count: number }>(
      `SELECT count(*) AS count FROM ${table} WHERE account_id = $1`,
      [accountId],
    );
    return row?.count ?? -1;
  };
  const foldedOf = async ({ accountId }: CounterKey): Promise<number | null> => {
    const row = await unitOfWork.autocommit.row<{ amount: number }>(
      'SELECT amount FROM counters WHERE account_id = $1',
      [accountId],
    );
    return row?.amount ?? null;
  };

  it('include changes before and after a fold', async () => {
    const key = newKey();
    expect(await sum(key)).toBe(0);
    await append(key, 3);
    await append(key, -1);
    expect(await sum(key)).toBe(2);
    expect(await foldedOf(key)).toBeNull();
    await fold.sweep();
    expect(await sum(key)).toBe(2);
    expect(await foldedOf(key)).toBe(2);
    expect(await countOf('counter_changes', key)).toBe(0);
  });

  it('do not change when folded twice', async () => {
    const key = newKey();
    await append(key, 5);
    await fold.sweep();
    await Promise.all([fold.sweep(), fold.sweep(), fold.sweep()]);
    expect(await foldedOf(key)).toBe(5);
    expect(await countOf('counters', key)).toBe(1);
  });

  it('disappear at zero and reappear', async () => {
    const key = newKey();
    await append(key, 5);
    await fold.sweep();
    await append(key, -5);
    await fold.sweep();
    expect(await countOf('counters', key)).toBe(0);
    await append(key, 1);
    await append(newKey(), 0);
    await fold.sweep();
    expect(await sum(key)).toBe(1);
  });

  it('are exact in every snapshot under parallel writes and folds', async () => {
    // Every transaction moves 1 from one counter to another, so each snapshot must see the same sum.
    const [left, right] = [newKey('left'), newKey('right')];
    let writing = true;
    let reading = true;
    let seen = 0;
    let moved = 0;
    const writers = Array.from({ length: 4 }, async () => {
      // Until enough snapshots were read, however slow they are.
      for (let turn = 0; turn < 60 || (reading && seen <= 10); turn += 1) {
        await unitOfWork.transaction(async (tx) => {
          await append(left, -1, tx);
          await append(right, 1, tx);
        });
        moved += 1;
      }
    });
    const folders = Array.from({ length: 3 }, async () => {
      while (writing) await fold.sweep();
    });
    const reader = (async () => {
      for (; writing; seen += 1) {
        const row = await unitOfWork.autocommit.row<{ total: number }>(
          'SELECT coalesce(sum(amount), 0)::integer AS total FROM counter_amounts WHERE account_id = ANY ($1::uuid[])',
          [[left.accountId, right.accountId]],
        );
        expect(row?.total).toBe(0);
      }
    })().finally(() => {
      reading = false;
    });
    await Promise.all(writers).finally(() => {
      writing = false;
    });
    await Promise.all([...folders, reader]);
    expect(seen).toBeGreaterThan(10);
    await fold.sweep();
    expect([await foldedOf(left), await foldedOf(right)]).toEqual([-moved, moved]);
  });

  it('do not block: a foreign lock on one stops neither writers nor other counters', async () => {
    const [held, free] = [newKey(), newKey()];
    await append(held, 1);
    await append(free, 1);
    await fold.sweep();
    await foreign.query('BEGIN');
    try {
      await foreign.query('SELECT FROM counters WHERE account_id = $1 FOR UPDATE', [held.accountId]);
      await append(held, 10);
      await append(free, 10);
      await fold.sweep();
      expect([await sum(held), await sum(free)]).toEqual([11, 11]);
      expect([await foldedOf(held), await foldedOf(free)]).toEqual([1, 11]);
    } finally {
      await foreign.query('ROLLBACK');
    }
    await fold.sweep();
    expect(await foldedOf(held)).toBe(11);
  });

  it('do not block: a foreign session with an uncommitted change to one does not stop the others', async () => {
    const [held, free] = [newKey(), newKey()];
    await append(held, 1);
    await fold.sweep();
    await foreign.query('BEGIN');
    try {
      await foreign.query('UPDATE counters SET amount = 2 WHERE account_id = $1', [held.accountId]);
      await append(held, 10);
      await append(free, 10);
      await fold.sweep();
      expect(await foldedOf(free)).toBe(10);
      await foreign.query('COMMIT');
    } finally {
      await foreign.query('ROLLBACK');
    }
    await fold.sweep();
    expect(await foldedOf(held)).toBe(12);
  });

  it('lose nothing when the folding process is killed halfway', async () => {
    const key = newKey();
    await append(key, 7);
    await foreign.query(`CREATE FUNCTION hold_fold() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock(99); RETURN NULL; END $$`);
    await foreign.query(
      'CREATE TRIGGER hold_fold AFTER DELETE ON counter_changes FOR EACH STATEMENT EXECUTE FUNCTION hold_fold()',
    );
    await foreign.query('SELECT pg_advisory_lock(99)');
    try {
      const killed = fold.sweep();
      const failed = expect(killed).rejects.toThrow();
      const { pid } = await until('a fold is running', async () => {
        const { rows } = await foreign.query<{ pid: number }>(
          `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = 99 AND NOT granted
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        );
        return rows[0];
      });
      expect(await sum(key)).toBe(7);
      await append(key, 1);
      await foreign.query('SELECT pg_terminate_backend($1)', [pid]);
      await failed;
    } finally {
      await foreign.query('SELECT pg_advisory_unlock(99)');
      await foreign.query('DROP TRIGGER hold_fold ON counter_changes');
      await foreign.query('DROP FUNCTION hold_fold');
    }
    expect([await sum(key), await foldedOf(key)]).toEqual([8, null]);
    await fold.sweep();
    expect([await sum(key), await foldedOf(key)]).toEqual([8, 8]);
  });

  it('are folded by one process at a time', async () => {
    const key = newKey();
    await append(key, 1);
    await foreign.query('BEGIN');
    try {
      await foreign.query('SELECT pg_advisory_xact_lock(7275400)');
      await fold.sweep();
      expect(await foldedOf(key)).toBeNull();
    } finally {
      await foreign.query('ROLLBACK');
    }
    await fold.sweep();
    expect(await foldedOf(key)).toBe(1);
  });

  it('do not accumulate changes, for one counter or for many', async () => {
    const key = newKey();
    await foreign.query(
      `INSERT INTO counter_changes (account_id, counter, subject_id, amount)
       SELECT $1::uuid, 'contacts', $1::uuid, 1 FROM generate_series(1, 12000)`,
      [key.accountId],
    );
    await foreign.query(
      `INSERT INTO counter_changes (account_id, counter, subject_id, amount)
       SELECT $1::uuid, 'group.members', gen_random_uuid(), 1 FROM generate_series(1, 2500)`,
      [key.accountId],
    );
    await fold.sweep();
    expect(await sum(key)).toBe(12_000);
    expect(await countOf('counter_changes', key)).toBe(0);
    expect(await countOf('counters', key)).toBe(2501);
  });
});
