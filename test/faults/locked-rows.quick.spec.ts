import { LOCKS, lockRows } from './locked-rows.js';

jest.setTimeout(900_000);

describe('a foreign session that locks rows of one account for eight seconds', () => {
  it('does not affect other accounts, and loses nothing of that one', async () => {
    expect(await lockRows(LOCKS.filter((lock) => lock !== 'rate limit'))).toEqual([]);
  });
});
