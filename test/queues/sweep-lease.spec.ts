import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/connections/data-source.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { claimLease, releaseLease } from '../../src/queues/sweep-lease.queries.js';
import { newRecordId } from '../../src/values/record-id.js';
import { freshDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import { until } from '../support/until.js';

const LEASE_MS = 60_000;

describe('the lease of the worker that sweeps', () => {
  const [first, second] = [newRecordId(), newRecordId()];
  let databaseUrl: string;
  let dataSource: DataSource;
  let unitOfWork: UnitOfWork;
  beforeAll(async () => {
    databaseUrl = await freshDatabase();
    dataSource = await createDataSource({ url: databaseUrl, poolSize: 4, entities: [] }).initialize();
    unitOfWork = new UnitOfWork(dataSource);
  });
  beforeEach(() => unitOfWork.autocommit.affected('UPDATE sweep_lease SET holder = NULL, held_until = NULL'));
  afterAll(() => dataSource.destroy());

  const claims = async (holder: string, session: number | null = null, leaseMs = LEASE_MS) =>
    (await claimLease(holder, session, leaseMs, unitOfWork.control)).isMine;

  it('belongs to one of those who ask at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => claims(newRecordId())));
    expect(all.filter(Boolean)).toHaveLength(1);
  });

  it('is renewed by its holder only', async () => {
    expect([await claims(first), await claims(second), await claims(first)]).toEqual([true, false, true]);
    const { endsInMs } = await claimLease(second, null, LEASE_MS, unitOfWork.control);
    expect(endsInMs).toBeGreaterThan(0);
    expect(endsInMs).toBeLessThanOrEqual(LEASE_MS);
  });

  it('goes to another when it has ended', async () => {
    expect(await claims(first, null, 100)).toBe(true);
    await until('it has ended', () => claims(second));
  });

  it('goes to another when its holder gives it up, and only then', async () => {
    await claims(first);
    await releaseLease(second, unitOfWork.control);
    expect(await claims(second)).toBe(false);
    await releaseLease(first, unitOfWork.control);
    expect(await claims(second)).toBe(true);
  });

  it('goes to another when the session of its holder is gone', async () => {
    const session = await ForeignSession.open(databaseUrl);
    try {
      const [backend] = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      expect(await claims(first, backend?.pid)).toBe(true);
      expect(await claims(second)).toBe(false);
    } finally {
      await session.close();
    }
    await until('the session is gone', () => claims(second));
  });

  it('is not kept by a time far ahead, from a clock that was set back', async () => {
    await claims(first);
    await unitOfWork.autocommit.affected("UPDATE sweep_lease SET held_until = now() + interval '1 day'");
    expect(await claims(second)).toBe(true);
  });
});
