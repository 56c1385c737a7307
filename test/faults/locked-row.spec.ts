import { LOCKS, lockRows } from './locked-rows.js';
import { describeLong } from './long.js';

jest.setTimeout(900_000);

describeLong('a foreign session that locks one row for eight seconds', () => {
  it.each(LOCKS)('does not affect other accounts: %s', async (lock) => {
    expect(await lockRows([lock])).toEqual([]);
  });
});
