import { migrate } from '../../src/database/schema/migrate.js';
import { PARTITIONED_TABLES, partitionAt } from '../../src/database/schema/partitions.js';
import { MANIFEST } from '../../src/rooms.js';
import { DAY } from '../../src/values/clock.js';
import { newRecordId } from '../../src/values/record-id.js';
import { idAt, UpkeepDatabase } from './upkeep-database.js';

describe('a row without a partition', () => {
  let database: UpkeepDatabase;
  beforeAll(async () => {
    database = await UpkeepDatabase.open();
  });
  beforeEach(() => database.dropPartitions('events'));
  afterAll(() => database.close());

  it('creates it in an autocommit statement', async () => {
    const id = newRecordId();
    await database.unitOfWork.autocommit.affected(...database.event(id));
    expect(await database.countEvents(id)).toBe(1);
  });

  it('creates it through the pipeline', async () => {
    const id = newRecordId();
    expect(await database.pipeline.autocommit.affected(...database.event(id))).toBe(1);
    expect(await database.countEvents(id)).toBe(1);
  });

  it('creates it in a transaction, which is retried as a whole', async () => {
    const [id, other] = [newRecordId(), newRecordId()];
    let runs = 0;
    const result = await database.unitOfWork.transaction(async (tx) => {
      runs += 1;
      await tx.affected(
        `INSERT INTO counter_changes (account_id, counter, subject_id, amount) VALUES ($1, 'test', $1, 1)`,
        [other],
      );
      return tx.affected(...database.event(id));
    });
    expect({ result, runs }).toEqual({ result: 1, runs: 2 });
    expect(await database.countEvents(id)).toBe(1);
    expect(await database.count('FROM counter_changes WHERE account_id = $1', [other])).toBe(1);
  });

  it('creates it through an entity manager', async () => {
    const id = newRecordId();
    await database.unitOfWork.transaction((tx) => tx.manager.query(...database.event(id)));
    expect(await database.countEvents(id)).toBe(1);
  });

  it('creates it once for many concurrent rows', async () => {
    const at = new Date();
    const ids = Array.from({ length: 6 }, () => idAt(at));
    await Promise.all(ids.map((id) => database.unitOfWork.autocommit.affected(...database.event(id))));
    for (const id of ids) expect(await database.countEvents(id)).toBe(1);
    expect(await database.partitionsOf('events')).toHaveLength(1);
  });

  it('creates several when a statement needs several', async () => {
    const ids = [idAt(new Date(Date.now() - 9 * DAY)), idAt(new Date(Date.now() - 3 * DAY))];
    await database.unitOfWork.autocommit.affected(
      `INSERT INTO events (account_id, id, occurred_at, kind, body) SELECT $1, id, now(), 'test', '{}' FROM unnest($2::uuid[]) AS id`,
      [newRecordId(), ids],
    );
    for (const id of ids) expect(await database.countEvents(id)).toBe(1);
    expect(await database.partitionsOf('events')).toHaveLength(2);
  });

  it('creates those of several tables when a transaction writes to several', async () => {
    await database.dropPartitions('webhook_deliveries');
    const id = newRecordId();
    await database.unitOfWork.transaction(async (tx) => {
      await tx.affected(...database.event(id));
      await tx.affected(
        `INSERT INTO webhook_deliveries (account_id, id, endpoint_id, event_id, kind, retries_left)
         VALUES ($1, $1, $1, $1, 'test', 0)`,
        [id],
      );
    });
    expect(await database.countEvents(id)).toBe(1);
    expect(await database.count('FROM webhook_deliveries WHERE id = $1', [id])).toBe(1);
  });

  it('reattaches a detached partition', async () => {
    const at = new Date();
    const [id, other] = [idAt(at), idAt(at)];
    await database.unitOfWork.autocommit.affected(...database.event(id));
    const [name] = await database.partitionsOf('events');
    await database.foreign.query(`ALTER TABLE events DETACH PARTITION ${name}`);
    await database.unitOfWork.autocommit.affected(...database.event(other));
    expect(await database.partitionsOf('events')).toEqual([name]);
    expect([await database.countEvents(id), await database.countEvents(other)]).toEqual([1, 1]);
  });

  it.each([-3 * 365, 3 * 365])('is refused when its time is implausible: %d days from now', async (days) => {
    const id = idAt(new Date(Date.now() + days * DAY));
    await expect(database.unitOfWork.autocommit.affected(...database.event(id))).rejects.toThrow('no partition');
    expect(await database.partitionsOf('events')).toEqual([]);
  });

  it('is stored while another session is reading the table', async () => {
    await database.unitOfWork.autocommit.affected(...database.event(idAt(new Date(Date.now() - DAY))));
    await database.foreign.query('BEGIN');
    try {
      await database.foreign.query('SELECT count(*) FROM events');
      const id = newRecordId();
      await database.unitOfWork.autocommit.affected(...database.event(id));
      expect(await database.unitOfWork.autocommit.row('SELECT id FROM events WHERE id = $1', [id])).toEqual({ id });
    } finally {
      await database.foreign.query('ROLLBACK');
    }
  });
});

describe('ten days without a worker', () => {
  let database: UpkeepDatabase;
  const absent = async () => {
    // Only partitions from before those ten days.
    for (const table of PARTITIONED_TABLES) {
      await database.dropPartitions(table.table);
      const { name, from, until } = partitionAt(table, new Date(Date.now() - 40 * DAY));
      const bounds = [from, until].map((at) => `record_id_bound('${at.toISOString()}')`).join(') TO (');
      await database.foreign.query(`CREATE TABLE ${name} PARTITION OF ${table.table} FOR VALUES FROM (${bounds})`);
    }
  };

  beforeAll(async () => {
    database = await UpkeepDatabase.open();
  });
  beforeEach(absent);
  afterAll(() => database.close());

  it('do not stop traffic', async () => {
    const id = newRecordId();
    await database.unitOfWork.autocommit.affected(...database.event(id));
    expect(await database.countEvents(id)).toBe(1);
  });

  it('are caught up by migrate', async () => {
    const before = Date.now();
    expect(await migrate(database.url, MANIFEST)).toEqual([]);
    await expectComingPartitions(database, before);
  });

  it('are caught up by a starting worker', async () => {
    const before = Date.now();
    await database.sweepPartitions();
    await expectComingPartitions(database, before);
  });
});

/** @param before a time before they were made; midnight may have passed since */
async function expectComingPartitions(database: UpkeepDatabase, before: number): Promise<void> {
  const after = Date.now();
  for (const table of PARTITIONED_TABLES) {
    const partitions = await database.partitionsOf(table.table);
    const wanted = (now: number) => [-1, 0, 1, 6].map((days) => partitionAt(table, new Date(now + days * DAY)).name);
    const isComplete = wanted(before).every((name) => partitions.includes(name));
    expect(partitions).toEqual(expect.arrayContaining(isComplete ? [] : wanted(after)));
  }
}
