import { request as httpRequest } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { ApiClient } from '../support/api-client.js';
import { World } from '../support/world.js';

const ORIGIN = 'https://app.example.com';

describe('answers that help', () => {
  let world: World;
  let account: Awaited<ReturnType<World['account']>>;
  let anonymous: ApiClient;

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api', CORS_ORIGINS: `${ORIGIN},http://localhost:5173` } });
    account = await world.account();
    anonymous = new ApiClient(world.baseUrl, null);
  });
  afterAll(() => world.stop());

  describe('X-Ignored-Fields', () => {
    const ignored = async (method: string, path: string, body?: unknown) =>
      (await account.api.request(method, path, body)).headers.get('x-ignored-fields');

    it('names unknown fields of the body and the query, percent-encoded', async () => {
      expect(await ignored('POST', '/api/v1/contacts/?dry=1', { phone_number: '4915123456701', 'né,w': 1 })).toBe(
        'dry,n%C3%A9%2Cw',
      );
      expect(await ignored('GET', '/api/v1/contacts/?limit=5&search=a&pgae=2')).toBe('pgae');
    });

    it('is absent when every field is read', async () => {
      expect(await ignored('GET', '/api/v1/contacts/?limit=5&search=a')).toBeNull();
      expect(await ignored('POST', '/api/v1/contacts/', { phone_number: '4915123456702', first_name: 'A' })).toBeNull();
    });

    it('names fields with an error too, because they may explain it', async () => {
      const response = await account.api.post('/api/v1/contacts/', { phone_numbr: '4915123456703' });
      expect(response.status).toBe(400);
      expect(response.headers.get('x-ignored-fields')).toBe('phone_numbr');
    });

    it.each([
      ['/api/v1/templates/create', ['name', 'category', 'buttons', 'header', 'offer_code', 'message_send_ttl_seconds']],
      ['/api/v1/templates/create-carousel', ['name', 'cards', 'body', 'language', 'waba_phone_id']],
      ['/api/v1/messages/send-message', ['contact_phone', 'message_type', 'message', 'buttons', 'caption', 'filename']],
      ['/api/v1/messages/send', ['template_name', 'contact_phone', 'body_data', 'carousel_data']],
      ['/api/v1/templates/sync', []],
    ])('knows the fields of POST %s', async (path, fields) => {
      const body = Object.fromEntries([...fields, 'unheard_of'].map((field) => [field, null]));
      expect(await ignored('POST', path, body)).toBe('unheard_of');
    });

    it('names nested fields by their paths, those of lists once, and no keys of maps', async () => {
      const button = { type: 'QUICK_REPLY', text: 'Yes', icon: 'star' };
      const template = {
        name: 'a',
        body: { text: 'Hi', examples: { any: 'x' }, bold: true },
        buttons: [button, button],
      };
      expect(await ignored('POST', '/api/v1/templates/create', template)).toBe('body.bold,buttons[0].icon');
      const contacts = Array.from({ length: 1000 }, (_, index) => ({
        phone: '4915123456701',
        body_data: { any: 'x' },
        button_params: [{ index: 0, 'né,w': index }],
        [index === 500 ? 'foo' : 'name']: 'Ada',
      }));
      const campaign = { name: 'a', contacts, send_window: { from: '09:00', to: '20:00', days: ['MO'] } };
      expect(await ignored('POST', '/api/v1/campaigns/', campaign)).toBe(
        'contacts[].button_params[0].n%C3%A9%2Cw,contacts[].foo,send_window.days',
      );
      expect(await ignored('POST', '/api/v1/campaigns/', { contacts: [null, 7, [], 'x'], send_window: [] })).toBeNull();
    });

    it('names misspelled fields of a value that is taken from the contact', async () => {
      const value = { contact_field: 'first_name', falback: 'you' };
      const body_data = { '1': value, '2': { contact_field: 'email', fallback: null }, '3': 'x', 'a.b': [value] };
      expect(
        await ignored('POST', '/api/v1/campaigns/', { name: 'a', body_data, contacts: [{ body_data }, { body_data }] }),
      ).toBe('body_data.1.falback,contacts[].body_data.1.falback');
      expect(
        await ignored('POST', '/api/v1/campaigns/', { body_data: { 'a.b': value }, contacts: [{ body_data: 7 }] }),
      ).toBe('body_data.a%2Eb.falback');
    });

    it('encodes what a name has of the signs of a path, so that it reads as no other field', async () => {
      const template = { name: 'a', 'body.bold': 1, 'buttons[0]': 1, body: { text: 'Hi', bold: true } };
      expect(await ignored('POST', '/api/v1/templates/create', template)).toBe('body%2Ebold,buttons%5B0%5D,body.bold');
      expect(await ignored('GET', '/api/v1/contacts/?send.at=1')).toBe('send%2Eat');
    });

    it('names at most 20 fields and stays short', async () => {
      const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`field_${index}`, 1]));
      expect((await ignored('POST', '/api/v1/contacts/', many))?.split(',')).toHaveLength(20);
      const long = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [index + '語'.repeat(500), 1]));
      expect((await ignored('POST', '/api/v1/contacts/', long))?.length).toBeLessThanOrEqual(2048);
    });
  });

  describe('unknown routes', () => {
    it('names the path', async () => {
      const response = await anonymous.get('/api/v1/nothing?x=1');
      expect(response.status).toBe(404);
      expect(response.body).toEqual({ error: 'not_found', message: 'there is no route GET /api/v1/nothing' });
      expect(response.headers.get('allow')).toBeNull();
    });

    it.each([
      ['PUT', '/api/v1/contacts/', 'GET, HEAD, POST'],
      ['PUT', '/api/v1/contacts/0199aa00-0000-7000-8000-000000000001', 'DELETE, GET, HEAD, PATCH'],
      ['DELETE', '/health/live', 'GET, HEAD'],
    ])('names the methods of a path that does not accept %s %s', async (method, path, allowed) => {
      const response = await anonymous.request(method, path);
      expect(response).toMatchObject({
        status: 404,
        body: { error: 'not_found', message: `${path} does not accept ${method}; it accepts ${allowed}` },
      });
      expect(response.headers.get('allow')).toBe(allowed);
    });
  });

  describe('start page and HEAD', () => {
    it('says at / where the documents are, without a key', async () => {
      const response = await anonymous.get('/');
      expect(response.status).toBe(200);
      expect(response.body).toMatchObject({ service: 'Parley', documentation: '/docs', openapi: '/openapi.json' });
      expect((await anonymous.get(String(response.body.openapi))).status).toBe(200);
    });

    it.each(['/', '/health/live', '/api/v1/contacts/'])('answers HEAD %s without a body', async (path) => {
      const response = await account.api.request('HEAD', path);
      expect(response).toMatchObject({ status: 200, text: '' });
    });

    it('asks HEAD for a key as GET does', async () => {
      expect((await anonymous.request('HEAD', '/api/v1/contacts/')).status).toBe(401);
    });
  });

  describe('CORS', () => {
    const preflight = (origin: string) =>
      anonymous.request('OPTIONS', '/api/v1/contacts/', undefined, {
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type,idempotency-key',
        },
      });

    it('lets pages of a listed origin call the API and read our headers', async () => {
      const allowed = await preflight(ORIGIN);
      expect(allowed.status).toBe(204);
      expect(allowed.headers.get('access-control-allow-origin')).toBe(ORIGIN);
      for (const name of ['Idempotency-Key', 'User-Agent']) {
        expect(allowed.headers.get('access-control-allow-headers')).toContain(name);
      }
      const { status, headers } = await account.api.get('/api/v1/contacts/', { headers: { origin: ORIGIN } });
      expect([status, headers.get('access-control-allow-origin')]).toEqual([200, ORIGIN]);
      expect(headers.get('access-control-expose-headers')).toContain('X-Ignored-Fields');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    });

    it('sends the headers with errors too', async () => {
      const { status, headers } = await anonymous.get('/api/v1/contacts/', { headers: { origin: ORIGIN } });
      expect([status, headers.get('access-control-allow-origin')]).toEqual([401, ORIGIN]);
    });

    it('does not allow any other origin', async () => {
      expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
    });
  });

  describe('gzip', () => {
    /** The bytes of a response as they are sent; `fetch` would decompress them. */
    const raw = (path: string, encoding: string) =>
      new Promise<{ headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
        const headers = { authorization: `Bearer ${account.api.apiKey}`, 'accept-encoding': encoding };
        httpRequest(world.baseUrl + path, { headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(chunks) }));
        })
          .on('error', reject)
          .end();
      });

    it('compresses a large answer for a client that accepts it', async () => {
      const { headers, bytes } = await raw('/openapi.json', 'br, gzip;q=0.8');
      expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: expect.stringContaining('Accept-Encoding') });
      expect(Number(headers['content-length'])).toBe(bytes.length);
      expect(JSON.parse(gunzipSync(bytes).toString())).toHaveProperty('openapi');
    });

    it.each(['identity', 'gzip;q=0, br'])('leaves it alone for Accept-Encoding: %s', async (encoding) => {
      const { headers, bytes } = await raw('/openapi.json', encoding);
      expect(headers).not.toHaveProperty('content-encoding');
      expect(JSON.parse(bytes.toString())).toHaveProperty('openapi');
    });

    it('leaves small answers alone', async () => {
      expect((await raw('/api/v1/contacts/?limit=1', 'gzip')).headers).not.toHaveProperty('content-encoding');
    });

    it('compresses a CSV export as a stream', async () => {
      const { headers, bytes } = await raw('/api/v1/contacts/export', 'gzip');
      expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'transfer-encoding': 'chunked' });
      expect(gunzipSync(bytes).toString()).toContain('phone_number');
    });
  });
});

describe('CORS by default', () => {
  it('is off', async () => {
    const world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    try {
      const { headers } = await new ApiClient(world.baseUrl, null).get('/health/live', { headers: { origin: ORIGIN } });
      expect(headers.get('access-control-allow-origin')).toBeNull();
    } finally {
      await world.stop();
    }
  });
});
