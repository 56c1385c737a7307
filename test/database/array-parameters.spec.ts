import { createDataSource } from '../../src/database/data-source.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { workerDatabase } from '../support/database.js';

describe('arrays as parameters', () => {
  let dataSource: ReturnType<typeof createDataSource>;
  let unitOfWork: UnitOfWork;

  beforeAll(async () => {
    dataSource = await createDataSource({ url: await workerDatabase(), poolSize: 1 }).initialize();
    unitOfWork = new UnitOfWork(dataSource);
  });
  afterAll(() => dataSource.destroy());

  const back = async (type: string, values: readonly unknown[]): Promise<unknown> =>
    (await unitOfWork.autocommit.row<{ back: unknown }>(`SELECT $1::${type}[] AS back`, [values]))?.back;

  it('arrive as they were: texts of every kind', async () => {
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

  it('arrive as they were: numbers, booleans, times', async () => {
    expect(await back('int', [1, -2, null])).toEqual([1, -2, null]);
    expect(await back('float8', [0.1, 1e-7, 1e21])).toEqual([0.1, 1e-7, 1e21]);
    expect(await back('boolean', [true, false, null])).toEqual([true, false, null]);
    const times = [new Date('2026-02-28T23:59:59.999Z'), new Date(0), null];
    expect(await back('timestamptz', times)).toEqual(times);
  });

  it('arrive as they were: objects and arrays, which the driver writes', async () => {
    expect(await back('jsonb', [{ a: '"x"' }, { b: [1] }])).toEqual([{ a: '"x"' }, { b: [1] }]);
    expect(await back('int', [])).toEqual([]);
  });
});
