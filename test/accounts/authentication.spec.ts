import { AccountDirectoryService } from '../../src/accounts/account-directory.service.js';
import { issueKey } from '../../src/accounts/api-key.js';
import { ApiKeysService } from '../../src/accounts/api-keys.service.js';
import { createParley } from '../../src/bootstrap.js';
import { MANIFEST } from '../../src/rooms.js';
import { ApiClient } from '../support/api-client.js';
import { crowd } from '../support/crowd.js';
import { until } from '../support/until.js';
import { uniqueDigits, uniquePhone, World } from '../support/world.js';

/** Each test fails from its own address, because failures are limited per address. */
const newAddress = () => {
  const digits = uniqueDigits().slice(-8);
  return `2001:db8:${digits.slice(0, 4)}:${digits.slice(4)}::1`;
};

const UNKNOWN_KEY = { error: 'unauthorized', message: 'the API key is unknown, expired or revoked' };
const NO_KEY = { error: 'unauthorized', message: 'an API key is required: Authorization: Bearer <API_KEY>' };

describe('authentication', () => {
  let world: World;
  let keys: ApiKeysService;
  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api', TRUST_PROXY: 'true' } });
    keys = world.parley.app.get(ApiKeysService);
  });
  afterAll(() => world.stop());

  const getAgents = (headers: Record<string, string>, address = newAddress()) =>
    new ApiClient(world.baseUrl, null).get('/api/v1/agents/', { headers: { 'x-forwarded-for': address, ...headers } });
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

  describe('401 with WWW-Authenticate: Bearer', () => {
    it.each([
      ['no Authorization header', {}, NO_KEY],
      ['another scheme', { authorization: 'Basic dXNlcjpwYXNz' }, NO_KEY],
      ['a scheme without a key', { authorization: 'Bearer' }, NO_KEY],
      ['two keys', { authorization: 'Bearer one two' }, NO_KEY],
      ['a malformed key', bearer('pk_live_short'), UNKNOWN_KEY],
      ['an unknown key', bearer(issueKey().key), UNKNOWN_KEY],
    ])('for %s', async (_, headers, expected) => {
      const { status, headers: answered, body } = await getAgents(headers);
      expect({ status, body }).toEqual({ status: 401, body: expected });
      expect(answered.get('www-authenticate')).toBe('Bearer');
      expect(answered.get('x-request-id')).toBeTruthy();
    });

    it('for a key with a known prefix and a wrong secret', async () => {
      const { apiKey } = await world.account();
      const forged = `${apiKey.slice(0, 20)}_${issueKey().key.slice(21)}`;
      const { status, body } = await getAgents(bearer(forged));
      expect({ status, body }).toEqual({ status: 401, body: UNKNOWN_KEY });
    });

    it('for a key as soon as it expires, not before', async () => {
      const { accountId } = await world.account();
      const expiresAt = new Date(Date.now() + 300);
      const { key } = await keys.issue({ accountId, scopes: MANIFEST.scopes, expiresAt });
      const refused = await until('the key expires', async () => {
        const answer = await getAgents(bearer(key));
        return answer.status !== 200 && answer;
      });
      expect(new Date() >= expiresAt).toBe(true);
      expect({ status: refused.status, body: refused.body }).toEqual({ status: 401, body: UNKNOWN_KEY });
    });

    it('for a revoked key, within a second', async () => {
      const { accountId } = await world.account();
      const { id, key } = await keys.issue({ accountId, scopes: MANIFEST.scopes });
      expect((await getAgents(bearer(key))).status).toBe(200);
      await keys.revoke(accountId, id);
      const refused = await until('the key is refused', async () => {
        const answer = await getAgents(bearer(key));
        return answer.status !== 200 && answer;
      });
      expect({ status: refused.status, body: refused.body }).toEqual({ status: 401, body: UNKNOWN_KEY });
    });

    it('without a key even when the body is not JSON', async () => {
      const { status, body } = await new ApiClient(world.baseUrl, null).post('/api/v1/contacts/', undefined, {
        raw: '{"first_name":',
        headers: { 'x-forwarded-for': newAddress() },
      });
      expect({ status, body }).toEqual({ status: 401, body: NO_KEY });
    });

    it('accepts the scheme in any case and with any spacing', async () => {
      const { apiKey } = await world.account();
      expect((await getAgents({ authorization: `bearer   ${apiKey} ` })).status).toBe(200);
    });
  });

  describe('failed authentications', () => {
    const BLOCKED = {
      error: 'rate_limited',
      message: expect.stringMatching(/^too many failed authentications from this address; retry in \d+ s$/),
    };
    /** Number of key look-ups while `work` ran, without those that the database refused: they are repeated. */
    const lookUpsOf = async (work: () => Promise<unknown>): Promise<number> => {
      const rows = jest.spyOn(world.unitOfWork.control, 'row');
      try {
        await work();
        const calls = rows.mock.calls.map(([sql], index) => ({ sql, result: rows.mock.results[index]?.value }));
        const lookUps = calls.filter(({ sql }) => sql.includes('FROM api_keys')).map(({ result }) => result);
        return (await Promise.allSettled(lookUps)).filter(({ status }) => status === 'fulfilled').length;
      } finally {
        rows.mockRestore();
      }
    };
    const failOften = async (address: string, times: number) => {
      // Several at once: together they must not take the minute over which they are counted.
      const answers = await crowd(times, () => getAgents({}, address));
      expect(answers.map(({ status }) => status)).toEqual(Array(times).fill(401));
    };

    it('return 429 from the 31st within a minute on, even with a valid key, for that address only', async () => {
      const { apiKey } = await world.account();
      const address = newAddress();
      await failOften(address, 30);
      for (const key of [issueKey().key, apiKey]) {
        const { status, headers, body } = await getAgents(bearer(key), address);
        expect({ status, body }).toEqual({ status: 429, body: BLOCKED });
        const retryAfter = Number(headers.get('retry-after'));
        expect(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 60).toBe(true);
      }
      expect((await getAgents(bearer(apiKey), newAddress())).status).toBe(200);
      expect((await getAgents({}, newAddress())).status).toBe(401);
    });

    it('cause no key look-up once the address is blocked', async () => {
      const address = newAddress();
      await failOften(address, 30);
      const lookUps = await lookUpsOf(async () => {
        // A hundred at once, because the address is blocked for a minute only.
        const answers = await crowd(200, () => getAgents(bearer(issueKey().key), address), 100);
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
      });
      expect(lookUps).toBe(0);
    });

    it('cause few key look-ups, however many arrive in parallel', async () => {
      const address = newAddress();
      let refused = 0;
      const lookUps = await lookUpsOf(async () => {
        // All at once: the fewer wait, the fewer could get past a count that is not there yet.
        const answers = await crowd(300, () => getAgents(bearer(issueKey().key), address), 300);
        expect(answers.every(({ status }) => status === 401 || status === 429)).toBe(true);
        refused = answers.filter(({ status }) => status === 401).length;
      });
      expect(refused).toBe(30);
      // Eight look-ups run in parallel, so seven may have been in flight when the thirtieth failure was counted.
      expect(lookUps).toBeLessThanOrEqual(37);
    });

    it('are counted across all processes', async () => {
      const second = await createParley(world.environment);
      try {
        const secondUrl = await second.listen();
        const address = newAddress();
        await failOften(address, 30);
        const { status, body } = await new ApiClient(secondUrl, issueKey().key).get('/api/v1/agents/', {
          headers: { 'x-forwarded-for': address },
        });
        expect({ status, body }).toEqual({ status: 429, body: BLOCKED });
      } finally {
        await second.close();
      }
    });

    it.each([
      ['an IPv6 address', (n: number) => `2001:db8:77:1::${n.toString(16)}`, '2001:db8:77:2::1'],
      ['an IPv4 address in either notation', (n: number) => (n % 2 ? '::ffff:192.0.2.9' : '192.0.2.9'), '192.0.2.8'],
    ])('count per customer network: %s', async (_, addressOf, neighbour) => {
      const { apiKey } = await world.account();
      const failures = await crowd(30, (n) => getAgents({}, addressOf(n)));
      expect(failures.map(({ status }) => status)).toEqual(Array(30).fill(401));
      expect((await getAgents(bearer(apiKey), addressOf(31))).status).toBe(429);
      expect((await getAgents(bearer(apiKey), neighbour)).status).toBe(200);
    });

    it('do not include requests with a valid key, however many there are', async () => {
      const { apiKey } = await world.account();
      const address = newAddress();
      for (let n = 0; n < 40; n += 1) expect((await getAgents(bearer(apiKey), address)).status).toBe(200);
      await failOften(address, 29);
      expect((await getAgents(bearer(apiKey), address)).status).toBe(200);
    });
  });

  describe('scopes', () => {
    it('are checked before the body is read', async () => {
      const account = await world.account({ scopes: ['contacts:read'] });
      const { status, body } = await account.api.post('/api/v1/contacts/', undefined, { raw: 'no json' });
      expect({ status, body }).toEqual({
        status: 403,
        body: { error: 'forbidden', message: 'the API key lacks the scope contacts:write' },
      });
    });
  });

  describe('a suspended account', () => {
    it('can read but not write (403 account_suspended), and can write again once activated', async () => {
      const account = await world.account();
      const directory = world.parley.app.get(AccountDirectoryService);
      const create = () =>
        account.api.post('/api/v1/contacts/', { phone_number: uniquePhone(), first_name: 'Somebody' });
      expect((await create()).status).toBe(201);

      await directory.suspend(account.accountId);
      const refused = await until('the account is suspended', async () => {
        const answer = await create();
        return answer.status !== 201 && answer;
      });
      expect({ status: refused.status, body: refused.body }).toEqual({
        status: 403,
        body: { error: 'account_suspended', message: 'the account is suspended and read-only' },
      });
      expect((await account.api.get('/api/v1/agents/')).status).toBe(200);
      expect((await account.api.get('/api/v1/contacts/')).status).toBe(200);

      await directory.activate(account.accountId);
      await until('the account is active', async () => (await create()).status === 201);
    });
  });

  describe('an unknown route', () => {
    it('returns 404 in the standard shape without a key and does not count as a failed authentication', async () => {
      const address = newAddress();
      const client = new ApiClient(world.baseUrl, null);
      for (let n = 0; n < 35; n += 1) {
        const { status, body } = await client.get('/api/v1/nope', { headers: { 'x-forwarded-for': address } });
        expect({ status, body }).toEqual({
          status: 404,
          body: { error: 'not_found', message: 'there is no route GET /api/v1/nope' },
        });
      }
      expect((await getAgents({}, address)).status).toBe(401);
    });
  });
});
