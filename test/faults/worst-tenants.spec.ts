import { EXCESSES } from './crowd.js';
import { describeLong } from './long.js';
import { overload } from './worst-tenants.js';

jest.setTimeout(900_000);

describeLong('tenants that overload the service', () => {
  it.each(EXCESSES)('one of them does not slow down others with its %s', async (excess) => {
    expect(await overload({ accounts: 1, excesses: [excess], contacts: 100_000 })).toEqual([]);
  });

  it('ten of them do not slow down others', async () => {
    expect(await overload({ accounts: 10, excesses: EXCESSES, contacts: 20_000 })).toEqual([]);
  });
});
