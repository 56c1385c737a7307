import { createParley, type Parley } from '../../src/bootstrap.js';
import { newRecordId } from '../../src/values/record-id.js';
import { ApiClient } from '../support/api-client.js';
import { crowd } from '../support/crowd.js';
import { until } from '../support/until.js';
import { World } from '../support/world.js';

interface Issued {
  readonly api_key: Record<string, unknown> & { readonly id: string };
  readonly key: string;
}

const PATH = '/api/v1/api-keys/';
const HOUR_MS = 3_600_000;

describe('API keys', () => {
  let world: World;
  let second: Parley;
  let secondUrl: string;
  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api', TRUST_PROXY: '1' } });
    second = await createParley(world.environment);
    secondUrl = await second.listen();
  });
  afterAll(async () => {
    await second.close();
    await world.stop();
  });

  const client = (key: string, url = world.baseUrl) => new ApiClient(url, key);
  const create = (api: ApiClient, body: Record<string, unknown> = {}) =>
    api.post<Issued>(PATH, { name: 'New', ...body });

  describe('create', () => {
    it('answers the key once, and no other response holds it', async () => {
      const { api } = await world.account({ scopes: ['*'] });
      const { status, body } = await create(api, { name: 'Orders', scopes: ['contacts:read'] });
      expect(status).toBe(201);
      expect(body).toEqual({
        status: 'success',
        message: 'API key created',
        key: expect.stringMatching(/^pk_live_[A-Za-z0-9]{12}_[A-Za-z0-9_-]{43}$/),
        api_key: {
          id: expect.any(String),
          name: 'Orders',
          prefix: body.key.slice(0, 20),
          scopes: ['contacts:read'],
          rate_limit: 100,
          allowed_networks: null,
          status: 'active',
          created_at: expect.any(String),
          expires_at: null,
          revoked_at: null,
          last_used_at: null,
        },
      });
      expect((await client(body.key).get('/api/v1/contacts/')).status).toBe(200);
      expect((await client(body.key).get('/api/v1/groups/')).status).toBe(403);
      const listed = await api.get<{ api_keys: { id: string }[]; total: number }>(PATH);
      expect(listed.body.total).toBe(2);
      expect(listed.body.api_keys[0]?.id).toBe(body.api_key.id);
      expect(listed.text).not.toContain(body.key.slice(21));
    });

    it('gives the key every scope, later ones too, if the calling key has them', async () => {
      const { api } = await world.account({ scopes: ['*'] });
      expect((await create(api)).body.api_key['scopes']).toEqual(['*']);
    });

    it('gives the key the scopes of a narrower calling key', async () => {
      const { api } = await world.account({ scopes: ['api_keys:write', 'contacts:read'] });
      expect((await create(api)).body.api_key['scopes']).toEqual(['api_keys:write', 'contacts:read']);
    });

    it.each([
      [['groups:read'], 'groups:read'],
      [['*'], '*'],
    ])('rejects %j from a key that lacks it (403)', async (scopes, lacked) => {
      const { api } = await world.account({ scopes: ['api_keys:write', 'contacts:read'] });
      const { status, body } = await create(api, { scopes });
      expect(status).toBe(403);
      expect(body).toEqual({
        error: 'forbidden',
        message: `the API key lacks the scope ${lacked}, so it cannot make, rotate or revoke a key that has it`,
      });
    });

    it.each([
      [{ name: '' }, 'name is required and must not be blank'],
      [{ name: 'x'.repeat(257) }, 'name must be at most 256 characters (got 257)'],
      [{ scopes: ['contact:read'] }, 'scopes: there is no scope "contact:read". Did you mean "contacts:read"?'],
      [{ scopes: [] }, 'scopes must have at least 1 entry (got 0); leave it out to inherit'],
      [{ expires_at: '2001-01-01T00:00:00Z' }, 'expires_at must be in the future (got 2001-01-01T00:00:00Z)'],
      [
        { allowed_networks: ['203.0.113.0/24', 'home'] },
        'allowed_networks[1] must be an IP address or a CIDR, such as 203.0.113.0/24 (got home)',
      ],
      [
        { allowed_networks: [''] },
        'allowed_networks[0] must be an IP address or a CIDR, such as 203.0.113.0/24 (got "")',
      ],
    ])('rejects %j (400)', async (fields, message) => {
      const { api } = await world.account({ scopes: ['*'] });
      const { status, body } = await create(api, fields);
      expect({ status, body }).toEqual({ status: 400, body: { error: 'bad_request', message } });
    });

    it('rejects more than 100 working keys (409)', async () => {
      const { api, accountId } = await world.account({ scopes: ['*'] });
      await world.unitOfWork.autocommit.affected(
        `INSERT INTO api_keys (account_id, id, name, prefix, secret_hash, scopes, idempotency_family)
         SELECT $1, id, 'many', left(md5(id::text), 12), '\\x00', '{}', id FROM (SELECT new_record_id() AS id FROM generate_series(1, 99)) AS made`,
        [accountId],
      );
      const { status, body } = await create(api);
      expect(status).toBe(409);
      expect(body).toMatchObject({ error: 'conflict', message: expect.stringContaining('100 working API keys') });
    });

    it('has no more requests a minute than the key that makes it', async () => {
      const { api: many } = await world.account({ scopes: ['*'], rateLimit: 1000 });
      expect((await create(many)).body.api_key['rate_limit']).toBe(100);
      const { api: few } = await world.account({ scopes: ['*'], rateLimit: 10 });
      expect((await create(few)).body.api_key['rate_limit']).toBe(10);
    });

    it('repeats the answer for a repeated Idempotency-Key', async () => {
      const { api } = await world.account({ scopes: ['*'] });
      const headers = { 'idempotency-key': 'make-one' };
      const first = await api.post<Issued>(PATH, { name: 'Once' }, { headers });
      const again = await api.post<Issued>(PATH, { name: 'Once' }, { headers });
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.body).toEqual(first.body);
      expect((await api.get(PATH)).body['total']).toBe(2);
    });
  });

  describe('an expiring key', () => {
    it('is refused from its time on (401), and cannot make one that lives longer', async () => {
      const { api, accountId } = await world.account({ scopes: ['*'] });
      const soon = new Date(Date.now() + HOUR_MS).toISOString();
      const { body } = await create(api, { expires_at: soon });
      const short = client(body.key);
      expect((await create(short, { expires_at: new Date(Date.now() + 2 * HOUR_MS).toISOString() })).status).toBe(403);
      expect((await create(short)).body.api_key['expires_at']).toBe(soon);
      await world.unitOfWork.autocommit.affected(
        'UPDATE api_keys SET expires_at = now() WHERE account_id = $1 AND id = $2',
        [accountId, body.api_key.id],
      );
      await until('it has expired', async () => (await short.get(PATH)).status === 401);
      const listed = await api.get<{ api_keys: { id: string; status: string }[] }>(PATH);
      expect(listed.body.api_keys.find(({ id }) => id === body.api_key.id)?.status).toBe('expired');
    });
  });

  describe('a key limited to networks', () => {
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

    it('works from there alone (403 elsewhere)', async () => {
      const { api } = await world.account({ scopes: ['*'] });
      const { body } = await create(api, { allowed_networks: ['203.0.113.0/24', '2001:db8::/32'] });
      const limited = client(body.key);
      expect((await limited.get(PATH, from('203.0.113.9'))).status).toBe(200);
      expect((await limited.get(PATH, from('2001:db8::7'))).status).toBe(200);
      const { status, body: refused } = await limited.get(PATH, from('198.51.100.1'));
      expect(status).toBe(403);
      expect(refused).toEqual({
        error: 'forbidden',
        message: 'the API key may not be used from 198.51.100.1',
      });
      expect((await limited.get(PATH, from('unknown'))).status).toBe(403);
    });

    it('works behind a proxy that reports ports', async () => {
      const { api } = await world.account({ scopes: ['*'] });
      const { body } = await create(api, { allowed_networks: ['::ffff:203.0.113.0/120', '2001:db8::/32'] });
      const limited = client(body.key);
      expect((await limited.get(PATH, from('203.0.113.9:4711'))).status).toBe(200);
      expect((await limited.get(PATH, from('[2001:db8::7]:4711'))).status).toBe(200);
      expect((await limited.get(PATH, from('198.51.100.1:4711'))).status).toBe(403);
    });

    it('counts requests from elsewhere against its rate limit (403, then 429)', async () => {
      const { api } = await world.account({ scopes: ['*'], rateLimit: 1_000_000 });
      const { body } = await create(api, { allowed_networks: ['203.0.113.0/24'] });
      const limited = client(body.key);
      const elsewhere = () => limited.get(PATH, from('198.51.100.1'));
      const first = await elsewhere();
      expect([first.status, first.headers.get('ratelimit-limit'), first.headers.get('ratelimit-remaining')]).toEqual([
        403,
        '100',
        '99',
      ]);
      // So many at once that together they don't take the minute over which they are counted.
      await crowd(99, elsewhere, 20);
      expect((await elsewhere()).status).toBe(429);
    });

    it('makes keys for the same or narrower networks only', async () => {
      const { api } = await world.account({ scopes: ['*'] });
      const { body } = await create(api, { allowed_networks: ['203.0.113.0/24'] });
      const limited = client(body.key);
      const make = (fields: object) => limited.post<Issued>(PATH, { name: 'x', ...fields }, from('203.0.113.9'));
      expect((await make({})).body.api_key['allowed_networks']).toEqual(['203.0.113.0/24']);
      expect((await make({ allowed_networks: ['203.0.113.128/25'] })).status).toBe(201);
      expect((await make({ allowed_networks: ['0.0.0.0/0'] })).status).toBe(403);
    });
  });

  describe('rotate', () => {
    it('issues a successor with the same rights, and ends the old key', async () => {
      const { api } = await world.account({ scopes: ['*'] });
      const old = (await create(api, { name: 'Shop', scopes: ['contacts:read'] })).body;
      const { status, body } = await api.post<Issued>(`${PATH}${old.api_key.id}/rotate`);
      expect(status).toBe(200);
      expect(body.api_key.id).not.toBe(old.api_key.id);
      expect(body.api_key).toMatchObject({ name: 'Shop', scopes: ['contacts:read'], status: 'active' });
      expect((await client(body.key).get('/api/v1/contacts/')).status).toBe(200);
      for (const url of [world.baseUrl, secondUrl]) {
        await until('it is refused', async () => (await client(old.key, url).get('/api/v1/contacts/')).status === 401);
      }
    });

    it('lets the old key work for overlap_seconds', async () => {
      const { api, accountId } = await world.account({ scopes: ['*'] });
      const old = (await create(api)).body;
      const before = Date.now();
      await api.post(`${PATH}${old.api_key.id}/rotate`, { overlap_seconds: 600 });
      const after = Date.now();
      expect((await client(old.key).get(PATH)).status).toBe(200);
      const listed = await api.get<{ api_keys: { id: string; revoked_at: string }[] }>(PATH);
      const end = listed.body.api_keys.find(({ id }) => id === old.api_key.id)?.revoked_at ?? '';
      expect(Date.parse(end) - 600_000).toBeGreaterThanOrEqual(before);
      expect(Date.parse(end) - 600_000).toBeLessThanOrEqual(after);
      await world.unitOfWork.autocommit.affected(
        'UPDATE api_keys SET revoked_at = now() WHERE account_id = $1 AND id = $2',
        [accountId, old.api_key.id],
      );
      await until('it has ended', async () => (await client(old.key).get(PATH)).status === 401);
    });

    it('hands idempotency keys on to the successor', async () => {
      const { api } = await world.account({ scopes: ['*'] });
      const old = (await create(api)).body;
      const headers = { 'idempotency-key': 'handed-on' };
      const first = await client(old.key).post('/api/v1/groups/', { name: 'Group' }, { headers });
      const { body } = await api.post<Issued>(`${PATH}${old.api_key.id}/rotate`, { overlap_seconds: 60 });
      const again = await client(body.key).post('/api/v1/groups/', { name: 'Group' }, { headers });
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.body).toEqual(first.body);
    });

    it('rejects a key that could do more than the caller (403), one that has ended (400), and an unknown one (404)', async () => {
      const { api } = await world.account({ scopes: ['*'] });
      const wide = (await create(api)).body;
      const narrow = (await create(api, { scopes: ['api_keys:write'] })).body;
      expect((await client(narrow.key).post(`${PATH}${wide.api_key.id}/rotate`)).status).toBe(403);
      await api.delete(`${PATH}${wide.api_key.id}`);
      expect((await api.post(`${PATH}${wide.api_key.id}/rotate`)).body).toEqual({
        error: 'bad_request',
        message: `API key ${wide.api_key.id} was revoked or rotated; only a key that works can be rotated`,
      });
      expect((await api.post(`${PATH}${newRecordId()}/rotate`)).status).toBe(404);
      expect((await api.post(`${PATH}${narrow.api_key.id}/rotate`, { overlap_seconds: 604_801 })).status).toBe(400);
    });
  });

  describe('revoke', () => {
    it('ends the key within a second on every process, and may be repeated', async () => {
      const { api } = await world.account({ scopes: ['*'] });
      const { body } = await create(api);
      const others = [client(body.key), client(body.key, secondUrl)];
      for (const other of others) expect((await other.get(PATH)).status).toBe(200);
      expect((await api.delete(`${PATH}${body.api_key.id}`)).body).toEqual({
        status: 'success',
        message: 'API key revoked',
        api_key_id: body.api_key.id,
      });
      for (const other of others) await until('it is refused', async () => (await other.get(PATH)).status === 401);
      expect((await api.delete(`${PATH}${body.api_key.id}`)).status).toBe(200);
    });

    it('reaches no further than the scopes of the calling key (403), but always itself', async () => {
      const { api } = await world.account({ scopes: ['*'] });
      const wide = (await create(api)).body;
      const reader = (await create(api, { scopes: ['contacts:read'] })).body;
      const narrow = (await create(api, { scopes: ['api_keys:read', 'api_keys:write'] })).body;
      const twin = (await create(api, { scopes: ['api_keys:write'] })).body;
      const caller = client(narrow.key);
      expect((await caller.delete(`${PATH}${wide.api_key.id}`)).body).toEqual({
        error: 'forbidden',
        message: 'the API key lacks the scope *, so it cannot make, rotate or revoke a key that has it',
      });
      expect((await caller.delete(`${PATH}${reader.api_key.id}`)).status).toBe(403);
      for (const { key } of [wide, reader]) expect((await client(key).get('/api/v1/contacts/')).status).toBe(200);
      expect((await caller.delete(`${PATH}${twin.api_key.id}`)).status).toBe(200);
      expect((await caller.delete(`${PATH}${narrow.api_key.id}`)).status).toBe(200);
      await until('it is refused', async () => (await caller.get(PATH)).status === 401);
    });

    it('does not find a key of another account (404)', async () => {
      const [{ api }, other] = [await world.account({ scopes: ['*'] }), await world.account()];
      expect((await api.delete(`${PATH}${other.keyId}`)).status).toBe(404);
      expect((await api.post(`${PATH}${other.keyId}/rotate`)).status).toBe(404);
    });
  });

  it('are listed newest first, with when each was last used', async () => {
    const { api, keyId } = await world.account({ scopes: ['*'] });
    await create(api, { name: 'Newer' });
    await until('the use is stamped', async () => {
      const { body } = await api.get<{ api_keys: { id: string; last_used_at: string | null }[] }>(PATH);
      return body.api_keys[1]?.id === keyId && body.api_keys[1].last_used_at !== null;
    });
    const { body } = await api.get(`${PATH}?page=2&limit=1`);
    expect(body).toMatchObject({ total: 2, page: 2, limit: 1, api_keys: [{ id: keyId }] });
  });
});
