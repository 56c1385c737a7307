import { ExpiredRowsSweep } from '../../src/upkeep/expired-rows.sweep.js';
import { DAY } from '../../src/values/clock.js';
import { idAt, UpkeepDatabase } from './upkeep-database.js';

describe('unhandled callbacks', () => {
  let database: UpkeepDatabase;
  beforeAll(async () => {
    database = await UpkeepDatabase.open();
  });
  afterAll(() => database.close());

  it('are kept for 30 days', async () => {
    const insert = (days: number, count: number) =>
      database.foreign.query(
        `INSERT INTO unhandled_callbacks (id, reason, body)
         SELECT overlay($1::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, 'test', '{}' FROM generate_series(1, $2::int) n`,
        [idAt(new Date(Date.now() - days * DAY)), count],
      );
    await insert(31, 4500);
    await insert(29, 3);
    await new ExpiredRowsSweep(database.unitOfWork).sweep();
    expect(await database.count('FROM unhandled_callbacks')).toBe(3);
  });
});
