import { MANIFEST } from '../../src/rooms.js';
import { newRecordId } from '../../src/values/record-id.js';
import { WebhookEndpoint } from '../../src/webhooks/webhook-endpoint.entity.js';
import { crowd } from '../support/crowd.js';
import { type TestAccount, World } from '../support/world.js';
import { subscribe } from './events.js';

const URL = 'http://127.0.0.1:9/hook';

describe('webhook endpoints', () => {
  let world: World;
  let account: TestAccount;

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
  });

  const post = (body: unknown) => account.api.post('/api/v1/webhooks/', body);

  it('registers an endpoint with the defaults: all events, 3 retries, 5 seconds (201)', async () => {
    const response = await post({ url: URL, colour: 'unknown fields are ignored' });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      status: 'success',
      message: 'Webhook created',
      webhook: {
        id: expect.any(String),
        url: URL,
        subscribed_events: MANIFEST.usualEvents,
        retry_count: 3,
        timeout: 5,
        status: 'active',
        disabled_reason: null,
        has_secret: false,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      },
    });
  });

  it('accepts every setting, and null for a default', async () => {
    const response = await post({
      url: URL,
      secret: 's'.repeat(256),
      subscribed_events: ['message.read', 'message.sent', 'message.read'],
      retry_count: 0,
      timeout: 30,
    });
    expect(response.body).toMatchObject({
      webhook: { subscribed_events: ['message.read', 'message.sent'], retry_count: 0, timeout: 30, has_secret: true },
    });
    const plain = await post({
      url: `${URL}/plain`,
      secret: null,
      subscribed_events: null,
      retry_count: null,
      timeout: null,
    });
    expect(plain.body).toMatchObject({ webhook: { retry_count: 3, timeout: 5, has_secret: false } });
  });

  it('never shows a secret and stores none in the clear', async () => {
    const secret = `whsec_${'x'.repeat(32)}`;
    const id = await subscribe(account, { url: URL, secret });
    const answers = await Promise.all([
      account.api.get(`/api/v1/webhooks/${id}`),
      account.api.get('/api/v1/webhooks/'),
      account.api.patch(`/api/v1/webhooks/${id}`, { timeout: 6 }),
    ]);
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).not.toContain(secret);
    }
    const stored = await world.unitOfWork.autocommit.row<{ secret: string }>(
      'SELECT secret FROM webhook_endpoints WHERE account_id = $1 AND id = $2',
      [account.accountId, id],
    );
    expect(stored?.secret).toMatch(/^v1\./);
    expect(stored?.secret).not.toContain(secret);
  });

  it.each([
    ['url', 'url is required', {}],
    ['url', 'url is required and must not be blank', { url: ' ' }],
    ['url', 'url must be a string, not a number (7)', { url: 7 }],
    ['url', 'url must be a valid URL that starts with http:// or https://', { url: 'ftp://example.com/' }],
    ['url', 'url must not contain a user name or password', { url: 'https://user:pass@example.com/' }],
    ['url', 'url must have at most 2048 bytes', { url: `https://example.com/${'a'.repeat(2048)}` }],
    ['url', 'url must be at most 8192 characters (got 8212)', { url: `https://example.com/${'a'.repeat(8192)}` }],
    ['url', 'url leads to an address that is not public', { url: 'https://10.1.2.3/hook' }],
    ['url', 'url leads to an address that is not public', { url: 'https://169.254.169.254/latest' }],
    ['url', 'url must start with https://', { url: 'http://93.184.216.34/hook' }],
    ['secret', 'secret must have 1 to 256 characters (got 0)', { url: URL, secret: '' }],
    ['secret', 'secret must have 1 to 256 characters (got 257)', { url: URL, secret: '😀'.repeat(257) }],
    ['secret', 'secret must be a string of 1 to 256 characters', { url: URL, secret: 5 }],
    ['retry_count', 'retry_count must be a whole number from 0 to 10 (got 11)', { url: URL, retry_count: 11 }],
    ['retry_count', 'retry_count must be a whole number from 0 to 10 (got -1)', { url: URL, retry_count: -1 }],
    ['timeout', 'timeout must be a whole number from 1 to 30 (got 0)', { url: URL, timeout: 0 }],
    ['timeout', 'timeout must be a whole number from 1 to 30 (got 31)', { url: URL, timeout: 31 }],
    ['timeout', 'timeout must be a whole number from 1 to 30 (got 2.5)', { url: URL, timeout: 2.5 }],
    [
      'subscribed_events',
      'subscribed_events must be an array of event names, not a string ("all")',
      { url: URL, subscribed_events: 'all' },
    ],
    [
      'subscribed_events',
      'subscribed_events[1] must be one of message.sent, message.delivered',
      { url: URL, subscribed_events: ['message.sent', 'message.flown'] },
    ],
  ])('refuses an invalid %s (400): %s', async (_, message, body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(response.body).toEqual({ error: 'bad_request', message: expect.stringContaining(message) });
  });

  it.each([
    ['base64url', `whsec_${Buffer.alloc(32, 0xfb).toString('base64url')}`],
    ['no padding', `whsec_${Buffer.alloc(32).toString('base64').replace('=', '')}`],
    ['bits that no byte needs', `whsec_${'A'.repeat(42)}B=`],
    ['23 bytes', `whsec_${Buffer.alloc(23).toString('base64')}`],
    ['65 bytes', `whsec_${Buffer.alloc(65).toString('base64')}`],
    ['nothing', 'whsec_'],
    ['a line break', `whsec_${Buffer.alloc(24).toString('base64')}\n`],
  ])('refuses a whsec_ secret with %s (400), and keeps it out of the answer', async (_what, secret) => {
    const id = await subscribe(account, { url: `${URL}/other`, secret: 'old' });
    const answers = [
      await post({ url: URL, secret }),
      await account.api.patch(`/api/v1/webhooks/${id}`, { secret }),
      await account.api.post(`/api/v1/webhooks/${id}/rotate-secret`, { secret }),
    ];
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([
        400,
        {
          error: 'bad_request',
          message:
            'secret must have padded standard base64 of 24 to 64 bytes after "whsec_". Let rotate-secret generate one, ' +
            'or use a secret without that prefix',
        },
      ]);
    }
  });

  it.each([24, 64])('accepts a whsec_ secret of %s bytes', async (bytes) => {
    const secret = `whsec_${Buffer.alloc(bytes, 0xfb).toString('base64')}`;
    expect((await post({ url: URL, secret })).status).toBe(201);
  });

  it('names the unknown event and the most similar one', async () => {
    const { body } = await post({ url: URL, subscribed_events: ['message.deliverd'] });
    expect(body.message).toMatch(/\(got message\.deliverd\)\. Did you mean "message\.delivered"\?$/);
  });

  it('accepts a secret of 256 non-ASCII characters and blanks', async () => {
    expect((await post({ url: URL, secret: '😀'.repeat(256) })).status).toBe(201);
    expect((await post({ url: `${URL}/blank`, secret: ' ' })).status).toBe(201);
  });

  it('allows one endpoint per URL (409), also for concurrent requests and updates', async () => {
    const answers = await Promise.all([post({ url: URL }), post({ url: URL })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toEqual({ error: 'conflict', message: expect.stringContaining(URL) });
    const other = await subscribe(account, { url: `${URL}/other` });
    expect((await account.api.patch(`/api/v1/webhooks/${other}`, { url: URL })).status).toBe(409);
    expect((await account.api.patch(`/api/v1/webhooks/${other}`, { url: `${URL}/other`, timeout: 7 })).status).toBe(
      200,
    );
    const stranger = await world.account();
    expect((await stranger.api.post('/api/v1/webhooks/', { url: URL })).status).toBe(201);
    await account.api.delete(`/api/v1/webhooks/${other}`);
    expect((await post({ url: `${URL}/other` })).status).toBe(201);
  });

  it('allows at most 20 endpoints (409), also for concurrent requests', async () => {
    const { api } = account;
    const answers = await crowd(22, (i) => api.post('/api/v1/webhooks/', { url: `${URL}/${i}` }));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(2);
    expect(refused[0]?.text).toContain('limit of 20 webhooks');
    const { body } = await account.api.get<{ webhooks: { id: string }[]; total: number }>('/api/v1/webhooks/');
    expect(body.total).toBe(20);
    await account.api.delete(`/api/v1/webhooks/${body.webhooks[0]?.id}`);
    expect((await post({ url: `${URL}/again` })).status).toBe(201);
  });

  it('lists endpoints newest first, in pages', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1) ids.unshift(await subscribe(account, { url: `${URL}/${i}` }));
    const first = await account.api.get<{ webhooks: { id: string }[] }>('/api/v1/webhooks/?limit=2');
    expect(first.body).toMatchObject({ status: 'success', total: 3, page: 1, limit: 2 });
    const second = await account.api.get<{ webhooks: { id: string }[] }>('/api/v1/webhooks?limit=2&page=2');
    expect([...first.body.webhooks, ...second.body.webhooks].map(({ id }) => id)).toEqual(ids);
    expect((await account.api.get('/api/v1/webhooks/?limit=101')).status).toBe(400);
  });

  it('gets one endpoint', async () => {
    const created = await post({ url: URL });
    const { id } = (created.body as { webhook: { id: string } }).webhook;
    const response = await account.api.get(`/api/v1/webhooks/${id}`);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      status: 'success',
      webhook: created.body.webhook,
      last_hour: { delivered: 0, failed: 0, pending: 0, success_rate: null, lag_ms: 0 },
      replay: null,
    });
  });

  it('changes only the fields in a PATCH', async () => {
    const id = await subscribe(account, { url: URL, secret: 'old', retry_count: 1 });
    const response = await account.api.patch(`/api/v1/webhooks/${id}`, {
      url: `${URL}/new`,
      subscribed_events: ['message.read'],
      timeout: 9,
    });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      status: 'success',
      message: 'Webhook updated',
      webhook: {
        id,
        url: `${URL}/new`,
        subscribed_events: ['message.read'],
        retry_count: 1,
        timeout: 9,
        has_secret: true,
      },
    });
    const { body } = await account.api.get(`/api/v1/webhooks/${id}`);
    expect(body.webhook).toEqual(response.body.webhook);
  });

  it('changes nothing for an empty PATCH', async () => {
    const id = await subscribe(account, { url: URL });
    expect((await account.api.patch(`/api/v1/webhooks/${id}`, {})).status).toBe(200);
  });

  it('removes the secret when a PATCH sets it to null', async () => {
    const id = await subscribe(account, { url: URL, secret: 'old' });
    const { body } = await account.api.patch(`/api/v1/webhooks/${id}`, { secret: null });
    expect(body).toMatchObject({ webhook: { has_secret: false } });
  });

  it('disables and enables an endpoint', async () => {
    const id = await subscribe(account, { url: URL });
    const disabled = await account.api.patch(`/api/v1/webhooks/${id}`, { status: 'disabled' });
    expect(disabled.body).toMatchObject({ webhook: { status: 'disabled', disabled_reason: 'disabled by request' } });
    const enabled = await account.api.patch(`/api/v1/webhooks/${id}`, { status: 'active' });
    expect(enabled.body).toMatchObject({ webhook: { status: 'active', disabled_reason: null } });
  });

  it.each([
    [{ url: 'https://192.168.1.1/' }, 'url leads to an address that is not public'],
    [{ status: 'paused' }, 'status must be one of active, disabled (got paused)'],
    [{ secret: '' }, 'secret must have 1 to 256 characters (got 0)'],
    [{ url: '' }, 'url is required and must not be blank'],
  ])('refuses a PATCH of %j (400)', async (body, message) => {
    const id = await subscribe(account, { url: URL });
    const response = await account.api.patch(`/api/v1/webhooks/${id}`, body);
    expect(response.status).toBe(400);
    expect(response.body).toEqual({ error: 'bad_request', message: expect.stringContaining(message) });
  });

  it('deletes an endpoint (200), once', async () => {
    const id = await subscribe(account, { url: URL });
    const response = await account.api.delete(`/api/v1/webhooks/${id}`);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ status: 'success', message: 'Webhook deleted', webhook_id: id });
    expect((await account.api.delete(`/api/v1/webhooks/${id}`)).status).toBe(404);
    const answers = [
      await account.api.get(`/api/v1/webhooks/${id}`),
      await account.api.get(`/api/v1/webhooks/${id}/deliveries`),
      await account.api.patch(`/api/v1/webhooks/${id}`, { status: 'active' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await account.api.get('/api/v1/webhooks/')).body).toMatchObject({ webhooks: [], total: 0 });
  });

  it('keeps no secret of a deleted endpoint', async () => {
    const id = await subscribe(account, { url: URL, secret: 'old' });
    await account.api.delete(`/api/v1/webhooks/${id}`);
    const stored = await world.unitOfWork.autocommit.manager.findOneBy(WebhookEndpoint, {
      accountId: account.accountId,
      id,
    });
    expect(stored).toMatchObject({ deletedAt: expect.any(Date), secret: null, previousSecret: null });
  });

  it('answers 404 for another account’s endpoint, as for an unknown one', async () => {
    const foreign = await subscribe(await world.account(), { url: URL });
    for (const id of [foreign, newRecordId()]) {
      const answers = [
        await account.api.get(`/api/v1/webhooks/${id}`),
        await account.api.patch(`/api/v1/webhooks/${id}`, { timeout: 6 }),
        await account.api.patch(`/api/v1/webhooks/${id}`, { url: 'https://10.0.0.1/' }),
        await account.api.delete(`/api/v1/webhooks/${id}`),
        await account.api.get(`/api/v1/webhooks/${id}/deliveries`),
      ];
      for (const { status, body } of answers) {
        expect(status).toBe(404);
        expect(body).toEqual({ error: 'not_found', message: `webhook ${id} not found` });
      }
    }
    const { body } = await account.api.get('/api/v1/webhooks/');
    expect(body).toMatchObject({ webhooks: [], total: 0 });
  });

  it('answers a malformed id with 400', async () => {
    expect((await account.api.get('/api/v1/webhooks/abc')).status).toBe(400);
    expect((await account.api.get('/api/v1/webhooks/abc/deliveries')).status).toBe(400);
  });

  it('requires webhooks:read and webhooks:write (403)', async () => {
    const events = ['messages:read', 'conversations:read'];
    const reader = await world.account({ scopes: ['webhooks:read', ...events] });
    expect((await reader.api.get('/api/v1/webhooks/')).status).toBe(200);
    expect((await reader.api.post('/api/v1/webhooks/', { url: URL })).status).toBe(403);
    const writer = await world.account({ scopes: ['webhooks:write', ...events] });
    expect((await writer.api.get('/api/v1/webhooks/')).status).toBe(403);
    expect((await writer.api.post('/api/v1/webhooks/', { url: URL })).status).toBe(201);
  });
});
