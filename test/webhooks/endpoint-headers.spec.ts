import { randomBytes } from 'node:crypto';
import { ApiClient } from '../support/api-client.js';
import { freshDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { emit, event, settledDeliveries, subscribe } from './events.js';
import { type Received, Receiver } from './receiver.js';

const LOGIN = 'Basic bWU6c2VjcmV0IHBhc3N3b3Jk';

describe('the headers of a webhook endpoint', () => {
  let databaseUrl: string;
  let world: World;
  let account: TestAccount;
  let receiver: Receiver;

  beforeAll(async () => {
    databaseUrl = await freshDatabase();
    world = await World.start({ databaseUrl });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    receiver = await Receiver.listen();
  });
  afterEach(() => receiver.close());

  const post = (headers: unknown) => account.api.post('/api/v1/webhooks/', { url: receiver.url(), headers });
  const change = (id: string, settings: Record<string, unknown>) =>
    account.api.patch(`/api/v1/webhooks/${id}`, settings);
  const next = async (): Promise<Received> => {
    const count = receiver.received.length;
    await emit(world, [event(account, count)]);
    await until('it arrives', () => receiver.received.length > count);
    return receiver.received.at(-1) as Received;
  };

  it('go with every delivery, besides the usual ones', async () => {
    await subscribe(account, {
      url: receiver.url(),
      secret: 'a secret',
      headers: { Authorization: LOGIN, 'X-Tenant': 'a: b, c' },
    });
    expect((await next()).headers).toMatchObject({
      authorization: LOGIN,
      'x-tenant': 'a: b, c',
      'content-type': 'application/json',
      'user-agent': 'Parley-Webhook/1.0',
      'webhook-id': expect.any(String),
      'x-webhook-signature': expect.stringMatching(/^sha256=/),
    });
  });

  it('are stored encrypted, and answered and audited by name only', async () => {
    const created = await post({ 'X-Tenant': 'tenant', Authorization: LOGIN });
    expect(created.status).toBe(201);
    const { webhook } = created.body as { webhook: { id: string } };
    expect(webhook).toMatchObject({ header_names: ['authorization', 'x-tenant'] });
    const path = `/api/v1/webhooks/${webhook.id}`;
    const answers = [
      created,
      await account.api.get(path),
      await account.api.get('/api/v1/webhooks/'),
      await change(webhook.id, { headers: { authorization: LOGIN } }),
      await account.api.get('/api/v1/audit/'),
    ];
    for (const { status, text } of answers) {
      expect(status).toBeLessThan(300);
      expect(text).not.toContain(LOGIN);
      expect(text).toContain('"header_names":["authorization"');
    }
    const [stored] = await world.unitOfWork.autocommit.rows<{ row: string; headers: string }>(
      'SELECT w::text AS row, headers FROM webhook_endpoints w WHERE account_id = $1',
      [account.accountId],
    );
    expect(stored?.headers).toMatch(/^v1\./);
    expect(stored?.row).not.toContain(LOGIN);
  });

  it('are replaced as a whole, removed by null, and kept by a PATCH without them', async () => {
    const id = await subscribe(account, { url: receiver.url(), headers: { a: '1', b: '2' } });
    expect((await change(id, { timeout: 9 })).body).toMatchObject({ webhook: { header_names: ['a', 'b'] } });
    expect((await next()).headers).toMatchObject({ a: '1', b: '2' });
    await change(id, { headers: { C: '3' } });
    const replaced = await next();
    expect(replaced.headers).toMatchObject({ c: '3' });
    expect(replaced.headers).not.toHaveProperty('a');
    for (const none of [null, {}]) {
      await change(id, { headers: { c: '3' } });
      expect((await change(id, { headers: none })).body['webhook']).not.toHaveProperty('header_names');
      expect((await next()).headers).not.toHaveProperty('c');
    }
  });

  it('do not follow a URL to another origin (400) unless they are given again', async () => {
    const other = await Receiver.listen();
    try {
      const id = await subscribe(account, { url: receiver.url(), headers: { authorization: LOGIN } });
      const refused = await change(id, { url: other.url() });
      expect([refused.status, refused.body]).toEqual([
        400,
        {
          error: 'bad_request',
          message:
            'headers is required when url changes to another origin, because the webhook has headers (authorization). ' +
            'Give them again, or null to remove them',
        },
      ]);
      expect((await change(id, { url: receiver.url('/elsewhere') })).status).toBe(200);
      expect((await next()).headers).toMatchObject({ authorization: LOGIN });
      expect((await change(id, { url: other.url(), headers: { authorization: 'other' } })).status).toBe(200);
    } finally {
      await other.close();
    }
  });

  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i}`, 'v']));

  it('accepts 10 headers with names of 100 and values of 1,000 characters', async () => {
    expect((await post({ ...many(9), ['n'.repeat(100)]: 'v'.repeat(1000) })).status).toBe(201);
  });

  const VALUE = 'must be 1 to 1000 printable ASCII characters, without blanks around them';
  it.each<[unknown, string]>([
    ['Authorization: x', 'headers must be an object of header names and values'],
    [['a'], 'headers must be an object of header names and values'],
    [many(11), 'headers must have at most 10 headers (got 11)'],
    [{ ['n'.repeat(101)]: 'v' }, 'headers must have names of at most 100 characters'],
    [{ '': 'v' }, 'headers must have valid header names (got "")'],
    [{ 'a b': 'v' }, 'headers must have valid header names (got "a b")'],
    [{ 'a\r\nb': 'v' }, 'headers must have valid header names (got "a\\r\\nb")'],
    [{ a: 'v'.repeat(1001) }, `headers.a ${VALUE}`],
    [{ a: '' }, `headers.a ${VALUE}`],
    [{ a: ' v' }, `headers.a ${VALUE}`],
    [{ a: 'secret\r\nx: y' }, `headers.a ${VALUE}`],
    [{ a: 'sécret' }, `headers.a ${VALUE}`],
    [{ a: 7 }, `headers.a ${VALUE}`],
    [{ a: null }, `headers.a ${VALUE}`],
    [{ a: '1', A: '2' }, 'headers must have each header once (got A twice)'],
    [{ Host: 'v' }, 'headers must not have Host, which Parley sets itself'],
    [{ 'Webhook-Id': 'v' }, 'headers must not have Webhook-Id, which Parley sets itself'],
    [{ 'X-Webhook-Signature': 'v' }, 'headers must not have X-Webhook-Signature, which Parley sets itself'],
    [{ 'Transfer-Encoding': 'chunked' }, 'headers must not have Transfer-Encoding, which belongs to the connection'],
    [{ connection: 'close' }, 'headers must not have connection, which belongs to the connection'],
    [{ expect: '100-continue' }, 'headers must not have expect, which belongs to the connection'],
  ])('refuses %j (400)', async (headers, message) => {
    const id = await subscribe(account, { url: receiver.url('/other') });
    for (const { status, body } of [await post(headers), await change(id, { headers })]) {
      expect([status, body]).toEqual([400, { error: 'bad_request', message }]);
    }
  });

  it('that cannot be decrypted keep a delivery from being sent, and its log says so', async () => {
    const elsewhere = await World.start({
      databaseUrl,
      env: { ENCRYPTION_KEY: randomBytes(32).toString('base64'), PARLEY_ROLES: 'api' },
    });
    const api = new ApiClient(elsewhere.baseUrl, account.apiKey);
    const settings = { url: receiver.url(), headers: { authorization: LOGIN }, retry_count: 0 };
    const id = await subscribe({ ...account, api }, settings).finally(() => elsewhere.stop());
    await emit(world, [event(account, 1)]);
    expect(await settledDeliveries(account, id)).toMatchObject([
      {
        status: 'failed',
        attempts: [
          {
            error:
              'the webhook’s headers cannot be decrypted, so nothing was sent. Set them again with PATCH ' +
              '/api/v1/webhooks/{id}',
          },
        ],
      },
    ]);
    expect(receiver.received).toEqual([]);
  });
});
