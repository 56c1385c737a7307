import { credentialsIn } from './credentials.js';

describe('what a request authenticates with', () => {
  it.each([
    [{ authorization: 'Bearer pk_live_1' }, 'pk_live_1'],
    [{ authorization: '  bearer \t  pk_live_1 ' }, 'pk_live_1'],
    [{ authorization: 'Bearer pk_live_1', cookie: 'session=one' }, 'pk_live_1'],
    [{ cookie: 'session=one' }, 'one'],
    [{ cookie: 'x=7; session=one; theme=dark' }, 'one'],
    [{ cookie: 'theme=dark' }, undefined],
    [{}, undefined],
  ])('in %j is %j', (headers, expected) => {
    expect(credentialsIn(headers, 'session')).toBe(expected);
  });
});
