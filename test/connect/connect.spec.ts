import { draft } from '../campaigns/campaigns.js';
import { freePort } from '../support/free-port.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, uniqueDigits, World } from '../support/world.js';

const ALL = ['whatsapp_business_messaging', 'whatsapp_business_management'];
const FIELDS = [
  'messages',
  'message_template_status_update',
  'template_category_update',
  'account_update',
  'business_capability_update',
  'phone_number_quality_update',
  'user_preferences',
];

interface Found {
  check: string;
  result: string;
  found: string;
  problem: string | null;
  advice: string | null;
}

describe('connecting a business phone', () => {
  let world: World;
  let account: TestAccount;
  let url = '';

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    world = await World.start({ env: { PORT: String(port), PUBLIC_URL: `${url}/` } });
    account = await world.account();
  });
  afterAll(() => world.stop());
  afterEach(() =>
    world.simulator.declareApp({ app_id: '1', fields: FIELDS, callback_url: `${url}/network/callbacks` }),
  );

  /** A number at Meta that nobody has connected, with a permanent token for it. */
  const number = async (phone: object = {}, token: object = {}) => {
    const ids = { phone_number_id: `66${uniqueDigits()}`, waba_id: `88${uniqueDigits()}` };
    await world.simulator.addPhone(ids.phone_number_id, ids.waba_id, `+1 555 ${uniqueDigits().slice(-7)}`, {
      ...phone,
    });
    const given = `EAAG${uniqueDigits()}`;
    const { code } = await world.simulator.declareToken({ token: given, scopes: ALL, wabas: [ids.waba_id], ...token });
    return { ids, token: given, code };
  };
  const connect = (body: object, as = account) => as.api.post('/api/v1/business-phones/connect', body);
  const failedIn = ({ body }: { body: unknown }) =>
    (body as { checks: Found[] }).checks.filter(({ result }) => result === 'failed').map(({ check }) => check);
  const checkIn = ({ body }: { body: unknown }, name: string) =>
    (body as { checks: Found[] }).checks.find(({ check }) => check === name);

  it('stores a phone that passes every check, subscribes the app and registers the number (201)', async () => {
    const { ids, token } = await number({ registered: false, pin: '246810' });
    const answer = await connect({ ...ids, token, pin: '246810' });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      status: 'success',
      connected: true,
      business_phone: { ...ids, throughput: 80, is_primary: false },
    });
    expect(failedIn(answer)).toEqual([]);
    expect(checkIn(answer, 'registration')).toMatchObject({ result: 'ok' });
    expect(checkIn(answer, 'callback_url')).toMatchObject({
      result: 'ok',
      found: `Meta calls ${url}/network/callbacks`,
    });
    expect(JSON.stringify(answer.body)).not.toContain(token);
    const { waba_phone_id } = (answer.body as { business_phone: { waba_phone_id: string } }).business_phone;
    const again = await connect({ ...ids, token });
    expect(again.status).toBe(201);
    expect(again.body).toMatchObject({ business_phone: { waba_phone_id } });
  });

  it('exchanges a code of Embedded Signup once', async () => {
    const { ids, code } = await number();
    expect((await connect({ ...ids, code })).status).toBe(201);
    const used = await connect({ ...ids, code });
    expect(used.status).toBe(200);
    expect(used.body).toMatchObject({ connected: false, business_phone: null });
    expect(failedIn(used)).toContain('token');
  });

  it.each([
    ['a dead token', 'token', {}, { expires_at: 1 }, {}],
    ['a token of the wrong app', 'token_app', {}, { app_id: '777' }, {}],
    ['missing rights', 'permissions', {}, { scopes: ['whatsapp_business_management'] }, {}],
    ['a token without access to the account', 'business_account', {}, { wabas: ['123'] }, {}],
    ['an unticked field', 'fields', {}, {}, { fields: ['account_update'] }],
    ['a wrong callback URL', 'callback_url', {}, {}, { callback_url: 'http://127.0.0.1:1/elsewhere' }],
    [
      'a URL that overrides ours',
      'callback_url',
      { webhook_configuration: { phone_number: 'https://other.example' } },
      {},
      {},
    ],
    ['a number that is not registered', 'registration', { registered: false }, {}, {}],
    ['a number in another app', 'registration', { platform_type: 'NOT_APPLICABLE', is_on_biz_app: true }, {}, {}],
    ['a number at another provider', 'registration', { platform_type: 'ON_PREMISE' }, {}, {}],
    [
      'a blocked account',
      'health',
      {
        health_status: {
          can_send_message: 'BLOCKED',
          entities: [{ errors: [{ error_code: 131031, error_description: 'Account locked' }] }],
        },
      },
      {},
      {},
    ],
  ] as const)('refuses %s, and stores nothing (200)', async (_, check, phone, token, app) => {
    await world.simulator.declareApp({ app_id: '1', ...app });
    const given = await number(phone, token);
    const answer = await connect({ ...given.ids, token: given.token });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ connected: false, business_phone: null });
    expect(failedIn(answer)).toContain(check);
    expect(checkIn(answer, check)?.advice).toMatch(/ See “.+” in docs\/connect\.md\.$/);
    const { body } = await account.api.get('/api/v1/business-phones/?limit=100');
    expect(JSON.stringify(body)).not.toContain(given.ids.phone_number_id);
  });

  it('names a wrong PIN and a phone of another business account', async () => {
    const { ids, token } = await number({ pin: '246810' });
    const wrongPin = await connect({ ...ids, token, pin: '111111' });
    expect(failedIn(wrongPin)).toEqual(['registration']);
    expect(checkIn(wrongPin, 'registration')?.problem).toContain('The PIN is wrong');
    expect(JSON.stringify(wrongPin.body)).not.toContain('111111');
    const other = await number();
    const mixed = await connect({ ...ids, phone_number_id: other.ids.phone_number_id, token });
    expect(failedIn(mixed)).toContain('business_account');
  });

  it('warns of what does not block: an unpaid account, a mortal token, a name in review', async () => {
    const health_status = {
      can_send_message: 'BLOCKED',
      entities: [{ errors: [{ error_code: 131042, error_description: 'Payment missing' }] }],
    };
    const expires_at = Math.floor(Date.now() / 1000) + 86_400;
    const { ids, token } = await number({ health_status, name_status: 'PENDING_REVIEW' }, { type: 'USER', expires_at });
    const answer = await connect({ ...ids, token });
    expect(answer.status).toBe(201);
    for (const check of ['payment', 'token', 'name']) expect(checkIn(answer, check)?.result).toBe('warning');
    expect(checkIn(answer, 'live_mode')?.result).toBe('unknown');
  });

  it('sends 20 messages a second from a number that is also in the WhatsApp Business app', async () => {
    const { ids, token } = await number({ is_on_biz_app: true });
    const answer = await connect({ ...ids, token, pin: '111111' });
    expect(answer.body).toMatchObject({ connected: true, business_phone: { throughput: 20 } });
  });

  it('finds an unsubscribed app, a dead token and a wrong secret later', async () => {
    const { ids, token } = await number();
    const { body } = await connect({ ...ids, token });
    const { waba_phone_id: id } = (body as { business_phone: { waba_phone_id: string } }).business_phone;
    await world.simulator.unsubscribe(ids.waba_id, token);
    const health = await account.api.get(`/api/v1/business-phones/${id}/health`);
    expect(health.body).toMatchObject({ status: 'success', connected: false });
    expect(failedIn(health)).toEqual(['subscription']);
    // Cached for a minute.
    await world.simulator.declareToken({ token, expires_at: 1 });
    expect(failedIn(await account.api.get(`/api/v1/business-phones/${id}/health`))).toEqual(['subscription']);
    const changed = await account.api.patch(`/api/v1/business-phones/${id}`, { waba_id: ids.waba_id });
    expect(failedIn(changed)).toContain('token');
  });

  it('corrects ids after the same checks', async () => {
    const wrong = await number();
    const right = await number();
    await world.simulator.declareToken({ token: wrong.token, scopes: ALL });
    const { body } = await connect({ ...wrong.ids, token: wrong.token });
    const { waba_phone_id: id } = (body as { business_phone: { waba_phone_id: string } }).business_phone;
    const patch = (ids: object) => account.api.patch(`/api/v1/business-phones/${id}`, ids);
    expect(failedIn(await patch({ phone_number_id: right.ids.phone_number_id }))).toContain('business_account');
    expect((await patch(right.ids)).body).toMatchObject({
      connected: true,
      business_phone: { waba_phone_id: id, ...right.ids },
    });
    expect((await patch({})).status).toBe(400);
  });

  it('removes a phone, frees its ids for others, and takes it back with its history', async () => {
    const { ids, token } = await number();
    const { body } = await connect({ ...ids, token });
    const { waba_phone_id: id } = (body as { business_phone: { waba_phone_id: string } }).business_phone;
    const stranger = await world.account();
    expect((await connect({ ...ids, token }, stranger)).status).toBe(409);
    expect((await stranger.api.delete(`/api/v1/business-phones/${id}`)).status).toBe(404);
    expect((await account.api.delete(`/api/v1/business-phones/${id}`)).status).toBe(200);
    expect((await account.api.delete(`/api/v1/business-phones/${id}`)).status).toBe(404);
    expect((await account.api.get(`/api/v1/business-phones/${id}/health`)).status).toBe(404);
    const send = { contact_phone: '4915112345678', message_type: 'text', message: 'hi', waba_phone_id: id };
    expect((await account.api.post('/api/v1/messages/send-message', send)).status).toBe(403);
    expect((await connect({ ...ids, token }, stranger)).status).toBe(201);
    expect((await connect({ ...ids, token })).status).toBe(409);
  });

  it('keeps the phone of a campaign that is scheduled (409)', async () => {
    const owner = await world.account();
    const template = await approvedTemplate(world, owner);
    await draft(owner, template.name, 1, { name: 'Spring sale', scheduled_at: '2099-01-31T09:00:00Z' });
    const removed = await owner.api.delete(`/api/v1/business-phones/${owner.phone.id}`);
    expect(removed.status).toBe(409);
    expect(removed.text).toContain('Spring sale');
  });

  it('refuses what is not a request to connect (400), and quotes no secret', async () => {
    const { ids, token } = await number();
    for (const body of [
      ids,
      { ...ids, token, code: 'x' },
      { ...ids, token, app_id: '404' },
      { ...ids, token, pin: '12' },
    ]) {
      expect((await connect(body)).status).toBe(400);
    }
    const quoted = await connect({ ...ids, token: 'a secret of mine', pin: 1234567 });
    expect(quoted.text).not.toMatch(/secret of mine|1234567/);
  });

  it('writes no token, PIN or code into the audit log or the stored answer', async () => {
    const { ids, token } = await number({ registered: false });
    await account.api.post(
      '/api/v1/business-phones/connect',
      { ...ids, token, pin: '975310' },
      {
        headers: { 'idempotency-key': token.slice(4) },
      },
    );
    const rows = await world.unitOfWork.autocommit.rows(
      `SELECT a.changes::text AS written FROM audit_entries a WHERE a.account_id = $1
       UNION ALL SELECT k::text FROM idempotency_keys k WHERE k.account_id = $1`,
      [account.accountId],
    );
    expect(rows.length).toBeGreaterThan(1);
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${token}|975310`));
  });
});
