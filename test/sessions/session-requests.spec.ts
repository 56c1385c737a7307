import type { UserRole } from '../../src/accounts/user.entity.js';
import type { AuditRecord } from '../../src/audit/dto/audit.response.js';
import { newRecordId } from '../../src/values/record-id.js';
import { draft } from '../campaigns/campaigns.js';
import { conversationOf } from '../conversations/threads.js';
import { type DescribedRoute, pathOf, routesOf } from '../http/routes.js';
import { withRecords } from '../http/tenant-records.js';
import { openWindow } from '../messages/messages.js';
import { crowd } from '../support/crowd.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { Browser, inRole, type Member, member, PASSWORD, SESSION, signedIn } from './browser.js';

const OTHER_ORIGIN = 'https://shop.example';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api', TRUST_PROXY: '1', CORS_ORIGINS: OTHER_ORIGIN } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
});

const CONTACTS = '/api/v1/contacts/';

describe('a request with a session', () => {
  it('names an account of its user, in the header or, where it only reads, in the query', async () => {
    const page = await inRole(world, account, 'agent');
    const stranger = await world.account();
    const tab = (name: string | null) => page.tab(name);
    expect((await tab(account.accountId).get(CONTACTS)).status).toBe(200);
    expect((await tab(account.accountId.toUpperCase()).get(CONTACTS)).status).toBe(200);
    for (const name of [null, '', 'x', newRecordId(), stranger.accountId]) {
      expect([name, (await tab(name).get(CONTACTS)).status]).toEqual([name, 403]);
    }
    const inQuery = `?account=${account.accountId}`;
    const read = await tab(null).get(`${CONTACTS}${inQuery}`);
    expect([read.status, read.headers.get('x-ignored-fields')]).toEqual([200, null]);
    expect((await tab(null).get(`${CONTACTS}?account=${stranger.accountId}`)).status).toBe(403);
    expect((await tab(null).get(`${CONTACTS}?account=a&account=b`)).status).toBe(403);
    const contact = { phone_number: uniquePhone(), first_name: 'Ada' };
    expect((await tab(null).post(`${CONTACTS}${inQuery}`, contact)).status).toBe(403);
    expect((await tab(account.accountId).post(CONTACTS, contact)).status).toBe(201);
  });

  it('is answered with the key’s rights when it also has one', async () => {
    const page = await inRole(world, account, 'agent');
    const key = { authorization: `Bearer ${account.apiKey}` };
    expect((await page.get('/api/v1/webhooks/')).status).toBe(403);
    expect((await page.tab(null).get('/api/v1/webhooks/', key)).status).toBe(200);
    expect((await page.tab(null).get(SESSION, key)).status).toBe(403);
    expect((await page.get(CONTACTS, { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await page.get(CONTACTS, { authorization: 'bearer' })).status).toBe(401);
  });

  it('comes from a page of ours, if it changes anything', async () => {
    const page = await inRole(world, account, 'manager');
    const contact = () => ({ phone_number: uniquePhone(), first_name: 'Ada' });
    const from = async (headers: Record<string, string>) =>
      (await page.tab(account.accountId, headers).post(CONTACTS, contact())).status;
    expect(await from({})).toBe(403);
    for (const site of ['cross-site', 'same-site', 'none']) expect(await from({ 'sec-fetch-site': site })).toBe(403);
    expect(await from({ origin: 'https://evil.example' })).toBe(403);
    expect(await from({ origin: world.baseUrl })).toBe(201);
    expect(await from({ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' })).toBe(201);
    type Listed = { sessions: { session_id: string }[] };
    const [own] = (await page.get<Listed>('/api/v1/sessions')).body.sessions;
    for (const [method, path, body] of [
      ['DELETE', SESSION],
      ['DELETE', `/api/v1/sessions/${own?.session_id}`],
      ['POST', `${SESSION}/password`, { current: PASSWORD, next: 'eight noisy garden lamps' }],
    ] as const) {
      expect(await page.tab(null, {}).request(method, path, body)).toMatchObject({
        status: 403,
        body: { message: 'a request with a session must come from a page of this service' },
      });
    }
    expect((await page.get(SESSION)).status).toBe(200);
  });

  it('counts for nothing from the pages that call with keys', async () => {
    const page = await inRole(world, account, 'manager');
    const elsewhere = page.tab(account.accountId, { origin: OTHER_ORIGIN });
    expect((await elsewhere.get(CONTACTS)).body).toMatchObject({
      message: expect.stringMatching('an API key is required'),
    });
  });

  it('passes while its address is blocked, and an ended one counts for no block', async () => {
    const address = { 'x-forwarded-for': '10.9.8.7' };
    const page = await inRole(world, account, 'agent');
    const ended = page.tab(account.accountId);
    ended.cookie = `__Host-parley=${'x'.repeat(43)}`;
    for (let count = 0; count < 40; count += 1) expect((await ended.get(CONTACTS, address)).status).toBe(401);
    const keyless = new Browser(world);
    let status = 401;
    for (let count = 0; count < 100 && status === 401; count += 1) ({ status } = await keyless.get(CONTACTS, address));
    expect(status).toBe(429);
    expect((await page.get(CONTACTS, address)).status).toBe(200);
  });

  it('has a limit of 600 a minute for each person', async () => {
    const page = await inRole(world, account, 'agent');
    const remaining = async (path: string): Promise<number> => {
      const { headers } = await page.get(path);
      expect(headers.get('ratelimit-limit')).toBe('600');
      return Number(headers.get('ratelimit-remaining'));
    };
    // Unless a minute begins in between, each counts.
    await until('two requests count together', async () => {
      const before = await remaining(CONTACTS);
      return (await remaining(SESSION)) === before - 1;
    });
    expect((await (await inRole(world, account, 'agent')).get(CONTACTS)).headers.get('ratelimit-remaining')).toBe(
      '599',
    );
  });

  it('is looked up only if its cookie could be one, and made-up ones have a limit that stops nobody who is known', async () => {
    const page = await inRole(world, account, 'agent');
    expect((await page.get(CONTACTS)).status).toBe(200);
    const address = { 'x-forwarded-for': '10.9.8.6' };
    const made = (cookie: string) => {
      const tab = page.tab(account.accountId);
      tab.cookie = `__Host-parley=${cookie}`;
      return tab.get(CONTACTS, address);
    };
    expect((await made('x'.repeat(5000))).body).toMatchObject({
      message: expect.stringMatching('an API key is required'),
    });
    const statuses = await crowd(700, async (index) => (await made(String(index).padStart(43, 'x'))).status);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect((await page.get(CONTACTS, address)).status).toBe(200);
  });

  it('is for no cache, and goes beside credentials that a proxy adds', async () => {
    const page = await inRole(world, account, 'agent');
    const { status, headers } = await page.get(CONTACTS, { authorization: 'Basic b3BzOm9wcw==' });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  });

  it('is refused while the account is suspended, if it writes', async () => {
    const page = await inRole(world, account, 'owner');
    await world.unitOfWork.autocommit.affected("UPDATE accounts SET status = 'suspended' WHERE id = $1", [
      account.accountId,
    ]);
    const write = () => page.post(CONTACTS, { phone_number: uniquePhone(), first_name: 'Ada' });
    await until('the suspension is known', async () => (await write()).status === 403);
    expect((await page.get(CONTACTS)).status).toBe(200);
    expect((await page.get(SESSION)).body).toMatchObject({ accounts: [{ status: 'suspended' }] });
  });
});

describe('what a person does', () => {
  let person: Member;
  let page: Browser;
  beforeEach(async () => {
    person = await member(world, account, 'admin');
    page = await signedIn(world, account.accountId, person);
  });
  const actor = () => ({ user_id: person.userId, name: 'Mira Member', source: 'manual' });

  it('to a conversation is told as theirs, by hand', async () => {
    const phone = uniquePhone();
    await openWindow(world, account.phone, phone);
    const path = `/api/v1/conversations/${phone}`;
    await page.post(`${path}/resolve`);
    await page.post(`${path}/reopen`);
    expect((await conversationOf(account, phone)).assigned_to).toBe(person.userId);
    const { body } = await page.post<{ note: { by: object } }>(`${path}/notes`, { text: 'A good customer' });
    expect(body.note.by).toEqual(actor());
    type Timeline = { entries: { type: string; change?: { actor: object } }[] };
    const { entries } = (await page.get<Timeline>(`${path}/timeline`)).body;
    const changes = entries.filter(({ type }) => type === 'change');
    expect(changes.map(({ change }) => change?.actor)).toEqual([actor(), actor()]);
  });

  it('with a campaign is told as theirs', async () => {
    const { name } = await approvedTemplate(world, account);
    const id = await draft({ ...account, api: asApi(page) }, name, [uniquePhone()]);
    expect((await page.post(`/api/v1/campaigns/${id}/send`)).status).toBe(202);
    const { body } = await page.get<{ campaign: object }>(`/api/v1/campaigns/${id}`);
    expect(body.campaign).toMatchObject({ created_by: actor(), started_by: actor() });
  });

  it('is in the audit log under their name', async () => {
    const created = await page.post<{ api_key: { api_key_id: string } }>('/api/v1/api-keys/', { name: 'Shop' });
    expect(created.status).toBe(201);
    await page.post(`${SESSION}/password`, { current: PASSWORD, next: 'eight noisy garden lamps' });
    await new Browser(world).signIn({ email: person.email, password: 'wrong' });
    await new Browser(world).signIn({ email: person.email, password: 'wrong' });
    await page.request('DELETE', SESSION);
    const { body } = await account.api.get<{ audit_entries: AuditRecord[] }>('/api/v1/audit/');
    const told = body.audit_entries.map(({ action, actor: kind, user_id, user_name }) => [
      action,
      kind,
      user_id,
      user_name,
    ]);
    const asThem = (action: string) => [action, 'user', person.userId, 'Mira Member'];
    expect(told.slice(0, 5)).toEqual([
      asThem('agent.signed_out'),
      ['agent.sign_in_refused', 'system', null, null],
      asThem('agent.password_set'),
      asThem('api_key.created'),
      asThem('agent.signed_in'),
    ]);
    for (const { request_id, address } of body.audit_entries.slice(0, 5)) {
      expect([request_id, address]).toEqual([expect.any(String), '127.0.0.1']);
    }
  });

  it('with an Idempotency-Key is done once for them, and apart from other people and keys', async () => {
    const key = { 'idempotency-key': newRecordId() };
    const contact = { phone_number: uniquePhone(), first_name: 'Ada' };
    const first = await page.post(CONTACTS, contact, key);
    const again = await page.post(CONTACTS, contact, key);
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    const tab = await signedIn(world, account.accountId, person);
    expect((await tab.post(CONTACTS, contact, key)).text).toBe(first.text);
    const colleague = await inRole(world, account, 'admin');
    expect((await colleague.post(CONTACTS, contact, key)).status).toBe(409);
    expect((await account.api.post(CONTACTS, contact, { headers: key })).status).toBe(409);
  });
});

/** As much of an API client as tests of other rooms use to prepare things. */
const asApi = (page: Browser): TestAccount['api'] =>
  ({
    get: (path: string) => page.get(path),
    post: (path: string, body?: unknown) => page.post(path, body),
  }) as unknown as TestAccount['api'];

describe('roles', () => {
  const ROLES: readonly UserRole[] = ['owner', 'admin', 'manager', 'agent'];
  /** What managers and agents may write, and what they may not even read, by the second part of the path. */
  const WRITES: Readonly<Record<string, readonly string[]>> = {
    manager: ['messages', 'campaigns', 'templates', 'contacts', 'groups', 'conversations', 'saved-replies', 'media'],
    agent: ['messages', 'contacts', 'conversations', 'media'],
  };
  const HIDDEN = ['webhooks', 'api-keys', 'audit'];
  const SETTINGS = ['business-phones', 'agents'];
  /** Reading requests that are no GET. */
  const READING = ['POST /api/v1/templates/preview'];
  const OF_MANAGERS = [
    'POST /api/v1/contacts/import',
    'GET /api/v1/contacts/export',
    'DELETE /api/v1/contacts/:contact_id',
    'GET /api/v1/campaigns/:campaign_id/recipients.csv',
  ];
  /** Shows deliveries of webhooks too. */
  const OF_ADMINS = ['GET /api/v1/contacts/:contact_id/export'];

  const allows = (role: UserRole, { key, method, path }: DescribedRoute): boolean => {
    if (role === 'owner' || role === 'admin') return true;
    const area = path.split('/')[3] ?? '';
    if (HIDDEN.includes(area) || OF_ADMINS.includes(key)) return false;
    if (role === 'agent' && OF_MANAGERS.includes(key)) return false;
    if (method === 'GET' || READING.includes(key)) return true;
    // What extensions add is changed by managers.
    const isOfCore = [...(WRITES['manager'] ?? []), ...HIDDEN, ...SETTINGS].includes(area);
    return isOfCore ? (WRITES[role]?.includes(area) ?? false) : role === 'manager';
  };

  it.each(ROLES)('let %s do what the role may, on every route', async (role) => {
    const { values } = await withRecords(world, account);
    const page = await inRole(world, account, role);
    const routes = routesOf(world).filter(({ access }) => access.kind === 'scope');
    const faults: unknown[] = [];
    for (const route of routes) {
      // Nothing is there, so that nothing is changed.
      const path = pathOf(route, route.method === 'GET' ? values : {});
      const { status, text } = await page.request(route.method, path, route.method === 'GET' ? undefined : {});
      const isRefused = status === 403 && /lacks the scope|needs the role/.test(text);
      if (isRefused === allows(role, route)) faults.push([route.key, status, text]);
    }
    expect(faults).toEqual([]);
    expect(routes.length).toBeGreaterThan(60);
  });

  it('let agents neither erase a contact nor lift an opt-out', async () => {
    const [agent, manager, admin] = [
      await inRole(world, account, 'agent'),
      await inRole(world, account, 'manager'),
      await inRole(world, account, 'admin'),
    ];
    const contact = { phone_number: uniquePhone(), first_name: 'Ada' };
    const { body } = await agent.post<{ contact: { id: string } }>(CONTACTS, { ...contact, opted_in: false });
    const path = `${CONTACTS}${body.contact.id}`;
    const lift = (page: Browser) => page.request('PATCH', path, { opted_in: true, first_name: 'Ada' });
    expect(await lift(agent)).toMatchObject({ status: 403, body: { message: expect.stringMatching('opted out') } });
    expect((await lift(manager)).status).toBe(200);
    expect((await lift(agent)).status).toBe(200);
    expect((await agent.request('DELETE', path)).status).toBe(403);
    expect((await manager.request('DELETE', `${path}?erase=true`)).status).toBe(403);
    expect((await admin.request('DELETE', `${path}?erase=true`)).status).toBe(200);
  });

  it('leave an organisation with an active owner', async () => {
    const { AgentsService } = await import('../../src/agents/agents.service.js');
    const agents = world.parley.app.get(AgentsService);
    const refusal = { code: 'conflict', message: expect.stringMatching('without an active owner') };
    await expect(agents.deactivate(account.ownerId)).rejects.toMatchObject(refusal);
    await expect(agents.set(account.ownerId, { role: 'admin' })).rejects.toMatchObject(refusal);
    const second = await member(world, account, 'owner');
    const both = await Promise.allSettled([
      agents.deactivate(account.ownerId),
      agents.set(second.userId, { role: 'agent' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});
