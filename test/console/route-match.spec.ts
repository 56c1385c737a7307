import { addressOf, matchRoute, parseAddress } from '../../console/frame/route-match.js';

const ACCOUNT = '0190c8f2-1234-7abc-8def-0123456789ab';

describe('addresses of the console', () => {
  it.each([
    ['/console', null, ''],
    ['/console/', null, ''],
    ['/console/sign-in', null, 'sign-in'],
    [`/console/${ACCOUNT}`, ACCOUNT, ''],
    [`/console/${ACCOUNT}/`, ACCOUNT, ''],
    [`/console/${ACCOUNT}/settings/you`, ACCOUNT, 'settings/you'],
    ['/console/settings/you', null, 'settings/you'],
  ])('takes %s apart', (pathname, accountId, path) => {
    expect(parseAddress(pathname)).toEqual({ accountId, path });
  });

  it('puts them together again', () => {
    expect(addressOf(ACCOUNT, 'settings/you')).toBe(`/console/${ACCOUNT}/settings/you`);
    expect(addressOf(null, 'sign-in')).toBe('/console/sign-in');
  });

  it.each([
    ['settings/you', 'settings/you', {}],
    ['settings/you', 'settings', null],
    ['settings/you', 'settings/you/more', null],
    ['campaigns/:id', 'campaigns/7', { id: '7' }],
    ['campaigns/:id', 'campaigns/a%2Fb%20c', { id: 'a/b c' }],
    ['campaigns/:id', 'campaigns/', null],
    ['campaigns/:id', 'campaigns/%E0%A4', null],
    ['inbox/:phone/:sender', 'inbox/491/2', { phone: '491', sender: '2' }],
  ])('compares %s with %s', (pattern, path, parameters) => {
    expect(matchRoute(pattern, path)).toEqual(parameters);
  });
});
