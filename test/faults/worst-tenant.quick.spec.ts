import { EXCESSES } from './crowd.js';
import { overload } from './worst-tenants.js';

jest.setTimeout(900_000);

describe('one tenant that overloads the service', () => {
  it('does not slow down others', async () => {
    expect(await overload({ accounts: 1, excesses: EXCESSES, contacts: 50_000 })).toEqual([]);
  });
});
