import { createDataSource } from '../../src/database/connections/data-source.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { workerDatabase } from '../support/database.js';

describe('array parameters', () => {
  let dataSource: ReturnType<typeof createDataSource>;
  let unitOfWork: UnitOfWork;

  beforeAll(async () => {
    dataSource = await createDataSource({ url: await workerDatabase(), poolSize: 1 }).initialize();
    unitOfWork = new UnitOfWork(dataSource);
  });
  afterAll(() => dataSource.destroy());

  const back = async (type: string, values: readonly unknown[]): Promise<unknown> =>
    (await unitOfWork.autocommit.row<{ back: unknown }>(`SELECT $1::${type}[] AS back`, [values]))?.back;

  it('preserve strings of every kind', async () => {
    const texts = [
      '',
      'plain',
      'null',
      'a,b',
      '{}',
      '"',
      '\\',
      '\\"',
      ' edge ',
      'two\nlines\ttab',
      "it's",
      '𝒳 ß 世界',
      null,
    ];
    expect(await back('text', texts)).toEqual(texts);
  });

  it('preserve numbers, booleans and times', async () => {
    expect(await back('int', [1, -2, null])).toEqual([1, -2, null]);
    expect(await back('float8', [0.1, 1e-7, 1e21])).toEqual([0.1, 1e-7, 1e21]);
    expect(await back('boolean', [true, false, null])).toEqual([true, false, null]);
    const times = [new Date('2026-02-28T23:59:59.999Z'), new Date(0), null];
    expect(await back('timestamptz', times)).toEqual(times);
  });

  it('preserve ids and large numbers', async () => {
    const ids = ['01a2006b-2863-7142-80d9-479710243351', null, 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
    expect(await back('uuid', ids)).toEqual(ids);
    const numbers = [0, -1, 2 ** 40, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
    expect(await back('bigint', numbers)).toEqual(numbers);
  });

  it('preserve times before and after the epoch of the database', async () => {
    const times = [
      '1969-12-31T23:59:59.999Z',
      '1999-12-31T23:59:59.999Z',
      '2000-01-01T00:00:00.000Z',
      '2200-06-01T12:00:00.001Z',
    ];
    expect(
      await back(
        'timestamptz',
        times.map((time) => new Date(time)),
      ),
    ).toEqual(times.map((time) => new Date(time)));
  });

  it('are rejected by the database when an element has the wrong type', async () => {
    await expect(back('uuid', ['no-id'])).rejects.toMatchObject({ code: '22P02' });
    await expect(back('int', [0.5])).rejects.toMatchObject({ code: '22P02' });
  });

  it('preserve objects and nested arrays, which the driver serialises', async () => {
    expect(await back('jsonb', [{ a: '"x"' }, { b: [1] }])).toEqual([{ a: '"x"' }, { b: [1] }]);
    expect(await back('int', [])).toEqual([]);
  });
});
