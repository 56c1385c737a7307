import { deliver } from '../inbound/inbound.js';
import { ApiClient } from '../support/api-client.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

let world: World;
let account: TestAccount;
/** Every list, with one record on it. */
const COUNTS = { counts: expect.any(Object) };
let lists: { path: string; records: string; limit: number; searched: boolean; more?: object }[];
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
  account = await world.account();
  const phone = uniquePhone();
  const { body } = await account.api.post('/api/v1/contacts/', { phone_number: phone, first_name: 'Ada' });
  const { id } = body.contact as { id: string };
  const group = (await account.api.post('/api/v1/groups/', { name: 'Ada', contact_ids: [id] })).body
    .group as typeof body;
  await account.api.post('/api/v1/saved-replies/', { name: 'Ada', text: 'Hello' });
  const message = { id: 'wamid.1', timestamp: `${Math.floor(Date.now() / 1000)}`, type: 'text', from: phone };
  await deliver(world, account.phone, { messages: [{ ...message, text: { body: 'Hello' } }] });
  const template = await approvedTemplate(world, account);
  const campaign = { name: 'Ada', template_name: template.name, contacts: [{ phone }] };
  const { campaign_id } = (await account.api.post('/api/v1/campaigns/', campaign)).body;
  lists = [
    { path: '/api/v1/contacts/', records: 'contacts', limit: 20, searched: true },
    { path: '/api/v1/groups/', records: 'groups', limit: 20, searched: true },
    { path: `/api/v1/groups/${group.id}/contacts`, records: 'contacts', limit: 20, searched: false },
    { path: '/api/v1/saved-replies/', records: 'saved_replies', limit: 20, searched: true },
    { path: '/api/v1/agents/', records: 'agents', limit: 50, searched: true },
    { path: '/api/v1/conversations/', records: 'conversations', limit: 20, searched: false },
    { path: `/api/v1/conversations/${phone}/messages`, records: 'messages', limit: 20, searched: false },
    { path: '/api/v1/campaigns/', records: 'campaigns', limit: 20, searched: true, more: COUNTS },
    {
      path: `/api/v1/campaigns/${campaign_id}/recipients`,
      records: 'recipients',
      limit: 20,
      searched: false,
      more: COUNTS,
    },
  ];
});
afterAll(() => world.stop());

const get = (path: string, query: string) => account.api.get(`${path}?${query}`);

describe('every list', () => {
  it('answers status, its records, total, page and limit, and nothing else; page 1 by default', async () => {
    for (const { path, records, limit, more } of lists) {
      const { status, body } = await get(path, '');
      expect([path, status, body]).toEqual([
        path,
        200,
        { status: 'success', [records]: [expect.anything()], total: 1, page: 1, limit, ...more },
      ]);
    }
  });

  it.each([
    ['limit=1', { limit: 1, page: 1 }],
    ['limit=100', { limit: 100 }],
    ['limit=%31&page=01', { limit: 1, page: 1 }],
    ['page=1&unknown=x&unknown=y&page[]=3&toString=1', { page: 1 }],
  ])('takes %s', async (query, expected) => {
    for (const { path, records } of lists) {
      expect(await get(path, query)).toMatchObject({ status: 200, body: { [records]: [{}], total: 1, ...expected } });
    }
  });

  it('is empty beyond its last page and still reports the total', async () => {
    for (const { path, records, searched } of lists) {
      for (const query of ['page=2', 'page=1000000000&limit=100', ...(searched ? ['page=2&search=a'] : [])]) {
        const { body } = await get(path, query);
        expect([path, query, body]).toMatchObject([path, query, { [records]: [], total: 1 }]);
      }
    }
  });

  it.each([
    ['page=0', 'page must be a whole number from 1 to 1000000000 (got 0)'],
    ['page=-1', 'page must be a whole number from 1 to 1000000000 (got -1)'],
    ['page=1000000001', 'page must be a whole number from 1 to 1000000000 (got 1000000001)'],
    ['page=99999999999999999999', 'page must be a whole number from 1 to 1000000000'],
    ['page=', 'page must be a whole number from 1 to 1000000000 (got "")'],
    ['page=1.5', 'page must be a whole number from 1 to 1000000000 (got 1.5)'],
    ['page=1e1', 'page must be a whole number from 1 to 1000000000 (got 1e1)'],
    ['page=%d9%a1', 'page must be a whole number from 1 to 1000000000 (got ١)'],
    ['page=1&page=2', 'page must be a whole number from 1 to 1000000000 (got ["1","2"])'],
    ['limit=0', 'limit must be a whole number from 1 to 100 (got 0)'],
    ['limit=101', 'limit must be a whole number from 1 to 100 (got 101)'],
    ['limit=null', 'limit must be a whole number from 1 to 100 (got null)'],
    ['limit=+5', 'limit must be a whole number from 1 to 100 (got  5)'],
  ])('refuses %s with 400 naming it', async (query, message) => {
    for (const { path } of lists) {
      const { status, body } = await get(path, query);
      expect([path, status, body]).toEqual([
        path,
        400,
        { error: 'bad_request', message: expect.stringContaining(message) },
      ]);
    }
  });

  it('with a search accepts one search of at most 256 characters', async () => {
    for (const { path } of lists.filter(({ searched }) => searched)) {
      const emoji = encodeURIComponent('😀'.repeat(256));
      expect(await get(path, `search=${emoji}`)).toMatchObject({ status: 200, body: { total: 0 } });
      expect(await get(path, `search=${emoji}a`)).toMatchObject({
        status: 400,
        body: { error: 'bad_request', message: 'search must be at most 256 characters (got 257)' },
      });
      expect(await get(path, 'search=a&search=b')).toMatchObject({
        status: 400,
        body: { error: 'bad_request', message: 'search must be a string, not an array (["a","b"])' },
      });
      expect(await get(path, 'search=%00')).toMatchObject({ status: 400, body: { error: 'bad_request' } });
    }
  });

  it.each(['%', '%zz', '%ff', '%E0%A4', '%ED%A0%80', '%F0%9F'])(
    'answers search=%s (invalid UTF-8) in the standard shape, never with 500',
    async (search) => {
      for (const { path } of lists) {
        const { status, body } = await get(path, `search=${search}`);
        expect([200, 400]).toContain(status);
        expect(Object.keys(body)).toContain(status === 200 ? 'total' : 'error');
      }
    },
  );

  it('requires a key (401)', async () => {
    const nobody = new ApiClient(world.baseUrl, null);
    for (const { path } of lists) {
      expect(await nobody.get(path)).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
    }
  });
});

describe('an invalid path parameter', () => {
  const NO_IDS = ['1', 'undefined', '%20', '%ff', '0199AAAA-BBBB-7CCC-8DDD-EEEEEEEEEEEE', "'"];

  it.each(['contacts', 'groups'])('is 400 in the standard shape for %s', async (records) => {
    for (const id of NO_IDS) {
      for (const method of ['GET', 'DELETE', 'PATCH']) {
        const body = method === 'PATCH' ? {} : undefined;
        const answer = await account.api.request(method, `/api/v1/${records}/${id}`, body);
        expect([id, answer.status, answer.body]).toEqual([
          id,
          400,
          { error: 'bad_request', message: expect.any(String) },
        ]);
      }
    }
  });

  it('is 400 in the standard shape for conversations', async () => {
    for (const phone of [
      '1',
      'undefined',
      '%20',
      '%ff',
      '0123456789',
      '%2B4915112345678',
      '４９１５１１２３４５６７８',
      '4915112345678%0A',
    ]) {
      for (const [method, action] of [
        ['POST', 'assign'],
        ['POST', 'unassign'],
        ['POST', 'reopen'],
        ['POST', 'resolve'],
        ['GET', 'assignment'],
        ['GET', 'messages'],
      ] as const) {
        const body = method === 'POST' ? { user_id: account.ownerId } : undefined;
        const answer = await account.api.request(method, `/api/v1/conversations/${phone}/${action}`, body);
        expect([phone, action, answer.status, answer.body]).toEqual([
          phone,
          action,
          400,
          { error: 'bad_request', message: expect.any(String) },
        ]);
      }
    }
  });
});
