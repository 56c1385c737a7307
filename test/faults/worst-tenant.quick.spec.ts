import { EXCESSES } from './crowd.js';
import { doTheirWorst } from './worst-tenants.js';

jest.setTimeout(240_000);

describe('one tenant that does its worst', () => {
  it('holds up nobody else', async () => {
    expect(await doTheirWorst({ accounts: 1, excesses: EXCESSES, contacts: 50_000 })).toEqual([]);
  });
});
