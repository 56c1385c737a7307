import { EXCESSES } from './crowd.js';
import { describeLong } from './long.js';
import { doTheirWorst } from './worst-tenants.js';

jest.setTimeout(300_000);

describeLong('tenants that do their worst', () => {
  it.each(EXCESSES)('one of them holds up nobody with its %s', async (excess) => {
    expect(await doTheirWorst({ accounts: 1, excesses: [excess], contacts: 100_000 })).toEqual([]);
  });

  it('ten of them hold up nobody else', async () => {
    expect(await doTheirWorst({ accounts: 10, excesses: EXCESSES, contacts: 20_000 })).toEqual([]);
  });
});
