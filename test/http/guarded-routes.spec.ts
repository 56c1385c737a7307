import { ALL_SCOPES } from '../../src/auth/scopes.js';
import { newRecordId } from '../../src/values/record-id.js';
import { ApiClient } from '../support/api-client.js';
import { until } from '../support/until.js';
import { uniquePhone, World } from '../support/world.js';

const PHONE = '4915112345678';
const ID = newRecordId();
const CONVERSATION = `conversations/${PHONE}`;

/** Every route with the scope it requires. */
const ROUTES: [method: string, path: string, scope: string][] = [
  ['GET', 'contacts', 'contacts:read'],
  ['POST', 'contacts', 'contacts:write'],
  ['GET', `contacts/${ID}`, 'contacts:read'],
  ['PATCH', `contacts/${ID}`, 'contacts:write'],
  ['DELETE', `contacts/${ID}`, 'contacts:write'],
  ['POST', 'contacts/import', 'contacts:write'],
  ['GET', 'contacts/export', 'contacts:read'],
  ['GET', 'groups', 'groups:read'],
  ['POST', 'groups', 'groups:write'],
  ['GET', `groups/${ID}`, 'groups:read'],
  ['PATCH', `groups/${ID}`, 'groups:write'],
  ['DELETE', `groups/${ID}`, 'groups:write'],
  ['GET', `groups/${ID}/contacts`, 'groups:read'],
  ['POST', `groups/${ID}/contacts`, 'groups:write'],
  ['DELETE', `groups/${ID}/contacts`, 'groups:write'],
  ['GET', 'agents', 'agents:read'],
  ['GET', 'conversations', 'conversations:read'],
  ['POST', `${CONVERSATION}/assign`, 'conversations:write'],
  ['POST', `${CONVERSATION}/unassign`, 'conversations:write'],
  ['POST', `${CONVERSATION}/reopen`, 'conversations:write'],
  ['POST', `${CONVERSATION}/resolve`, 'conversations:write'],
  ['GET', `${CONVERSATION}/assignment`, 'conversations:read'],
  ['GET', `${CONVERSATION}/messages`, 'conversations:read'],
];

let world: World;
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
});
afterAll(() => world.stop());

const bodyOf = (method: string) => (method === 'GET' ? undefined : {});
const call = (api: ApiClient, [method, path]: readonly string[]) =>
  api.request<Record<string, unknown>>(String(method), `/api/v1/${path}`, bodyOf(String(method)));

describe('contacts, groups, agents and conversations', () => {
  it.each(ROUTES)('%s %s requires a key (401)', async (...route) => {
    const { status, headers, body } = await call(new ApiClient(world.baseUrl, null), route);
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer');
    expect(body).toEqual({ error: 'unauthorized', message: expect.any(String) });
  });

  it('share the key’s rate limit (429)', async () => {
    const { api } = await world.account({ rateLimit: 1 });
    expect((await api.get('/api/v1/contacts/')).status).toBe(200);
    for (const route of ROUTES) {
      const { status, headers, body } = await call(api, route);
      expect([...route, status, body.error]).toEqual([...route, 429, 'rate_limited']);
      expect(headers.get('retry-after')).toMatch(/^[1-9][0-9]*$/);
    }
  });

  it('require exactly their own scope (403)', async () => {
    for (const scope of ['contacts', 'groups', 'agents', 'conversations'].flatMap((room) => [
      `${room}:read`,
      `${room}:write`,
    ])) {
      const alone = await world.account({ scopes: [scope] });
      const others = await world.account({ scopes: ALL_SCOPES.filter((each) => each !== scope) });
      for (const route of ROUTES) {
        const [method, path, needed] = route;
        const lacks = { status: 403, body: { error: 'forbidden', message: `the API key lacks the scope ${needed}` } };
        const [refused, let_in] = needed === scope ? [others, alone] : [alone, others];
        const { status, body } = await call(refused.api, route);
        expect([scope, method, path, { status, body }]).toEqual([scope, method, path, lacks]);
        expect([scope, method, path, (await call(let_in.api, route)).status]).not.toEqual([scope, method, path, 403]);
      }
    }
  });

  it('are read-only while the account is suspended (403 account_suspended)', async () => {
    const account = await world.account();
    await world.unitOfWork.autocommit.affected("UPDATE accounts SET status = 'suspended' WHERE id = $1", [
      account.accountId,
    ]);
    const write = ROUTES.filter(([, , scope]) => scope.endsWith(':write'));
    await until('the suspension is known', async () => {
      const [route] = write;
      return route && (await call(account.api, route)).body.error === 'account_suspended';
    });
    for (const route of ROUTES) {
      const { status, body } = await call(account.api, route);
      const found = route[1].includes(ID) ? 404 : 200;
      expect([...route, status, body.error]).toEqual(
        write.includes(route)
          ? [...route, 403, 'account_suspended']
          : [...route, found, found === 404 ? 'not_found' : undefined],
      );
    }
  });

  it('answer the same with and without a trailing slash', async () => {
    const { api } = await world.account();
    for (const [method, path] of ROUTES) {
      // The first request may create something; later answers are the same.
      await call(api, [method, path]);
      const [plain, slashed] = [await call(api, [method, path]), await call(api, [method, `${path}/`])];
      expect([method, path, slashed.status, slashed.text]).toEqual([method, path, plain.status, plain.text]);
    }
    // The slash is not redirected.
    const headers = { authorization: `Bearer ${api.apiKey}` };
    expect((await fetch(`${world.baseUrl}/api/v1/agents/`, { headers, redirect: 'manual' })).status).toBe(200);
  });

  it('answer for another account’s record as for one that does not exist', async () => {
    const [mine, theirs] = [await world.account(), await world.account()];
    const phone_number = uniquePhone();
    const { body: made } = await theirs.api.post('/api/v1/contacts/', { phone_number, first_name: 'Ada' });
    const { body: grouped } = await theirs.api.post('/api/v1/groups/', { name: 'VIP' });
    const ids = { contacts: (made.contact as { id: string }).id, groups: (grouped.group as { id: string }).id };
    for (const [method, path] of ROUTES.filter((route) => route[1].includes(ID))) {
      const foreign = path.startsWith('contacts') ? ids.contacts : ids.groups;
      const body = method === 'GET' ? undefined : { contact_ids: [newRecordId()] };
      const ask = async (id: string) => {
        const { status, text } = await mine.api.request(method, `/api/v1/${path.replace(ID, id)}`, body);
        return [method, path, status, text.replaceAll(id, '?')];
      };
      const [unknown, hidden] = [await ask(ID), await ask(foreign)];
      expect(unknown[2]).toBe(404);
      expect(hidden).toEqual(unknown);
    }
    expect((await theirs.api.get('/api/v1/contacts/')).body.total).toBe(1);
    expect((await theirs.api.get('/api/v1/groups/')).body.total).toBe(1);
  });

  it('answer 404 to other methods', async () => {
    const { api } = await world.account();
    for (const [method, path] of [
      ['PUT', 'contacts'],
      ['DELETE', 'contacts'],
      ['PUT', `contacts/${ID}`],
      ['POST', `contacts/${ID}`],
      ['GET', 'contacts/import'],
      ['POST', 'contacts/export'],
      ['PUT', `groups/${ID}`],
      ['PATCH', `groups/${ID}/contacts`],
      ['POST', 'agents'],
      ['GET', `${CONVERSATION}/assign`],
      ['DELETE', `${CONVERSATION}/assignment`],
      ['POST', `${CONVERSATION}/messages`],
    ] as const) {
      const { status, body } = await call(api, [method, path]);
      // A word in place of an id is a malformed id.
      const malformed = method === 'GET' && path === 'contacts/import';
      expect([method, path, status, body.error]).toEqual(
        malformed ? [method, path, 400, 'bad_request'] : [method, path, 404, 'not_found'],
      );
    }
  });
});
