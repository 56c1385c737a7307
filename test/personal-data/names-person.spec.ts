import { createDataSource } from '../../src/database/data-source.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { workerDatabase } from '../support/database.js';

describe('names_person', () => {
  const tokens = ['4915112345678', 'us.13491208655302741918', 'ada.lindgrove@example.test'];
  let unitOfWork: UnitOfWork;
  let end: () => Promise<void>;
  beforeAll(async () => {
    const dataSource = await createDataSource({ url: await workerDatabase(), poolSize: 1 }).initialize();
    unitOfWork = new UnitOfWork(dataSource);
    end = () => dataSource.destroy();
  });
  afterAll(() => end());

  it.each([
    ['{"from":"4915112345678"}', true],
    ['call +4915112345678.', true],
    ['{"user_id":"US.13491208655302741918"}', true],
    ['write to Ada.Lindgrove@example.test, please', true],
    ['<ada.lindgrove@example.test>', true],
    ['mailto:ada.lindgrove@example.test.', true],
    ['{"from":"14915112345678"}', false],
    ['US.134912086553027419180', false],
    ['bada.lindgrove@example.test', false],
    ['ada.lindgrove@example.test.org', false],
    ['Ada Lindgrove', false],
  ])('of %j is %s', async (body, expected) => {
    const row = await unitOfWork.autocommit.row<{ named: boolean }>('SELECT names_person($1, $2::text[]) AS named', [
      body,
      tokens,
    ]);
    expect(row?.named).toBe(expected);
  });
});
