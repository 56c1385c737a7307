import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { ApiClient } from '../support/api-client.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

const CONTACTS = '/api/v1/contacts/';
/** Routes of POST that read a body but need none, of records that nobody has. */
const OPTIONAL_BODIES = [
  'api-keys/0190a000-0000-7000-8000-000000000000/rotate',
  'campaigns/0190a000-0000-7000-8000-000000000000/retry-failed',
  'conversations/4915123456789/read',
  'conversations/4915123456789/unassign',
  'conversations/4915123456789/reopen',
  'conversations/4915123456789/resolve',
  'webhooks/0190a000-0000-7000-8000-000000000000/rotate-secret',
  'templates/sync',
];
const MIB = 1024 * 1024;

describe('bad input', () => {
  let world: World;
  let account: TestAccount;

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    account = await world.account();
  });
  afterAll(() => world.stop());

  const postRaw = (raw: string | Uint8Array, headers: Record<string, string> = {}) =>
    account.api.post<{ error: string; message: string }>(CONTACTS, undefined, {
      raw,
      headers: { 'content-type': 'application/json', ...headers },
    });

  it.each([
    ['cut off', '{"first_name": "Ada"'],
    ['not JSON at all', 'first_name=Ada'],
    ['with a trailing comma', '{"first_name": "Ada",}'],
  ])('answers JSON that is %s with 400', async (_, raw) => {
    const { status, body } = await postRaw(raw);
    expect(status).toBe(400);
    expect(body).toEqual({ error: 'bad_request', message: expect.stringContaining('not valid JSON') });
  });

  it.each([
    ['{"password": hunter2hunter2}', 'unexpected character at line 1, column 14'],
    ['{"one_time_code": 482913hunter2}', 'unexpected character at line 1, column 25'],
    ['{\n  "password": "hunter2",\n  "one_time_code": o482913\n}', 'unexpected character at line 3, column 20'],
    ['hunter2', 'unexpected character at line 1, column 1'],
    ['{"password": "hunter2", "code": 482913', 'it ends too early'],
    ['{"contacts": [{"password": hunter2, "code": 482913}]}', 'unexpected character at line 1, column 28'],
    [
      `{"password": "hunter2", "note": "${'x'.repeat(3000)}", "code": 482913x}`,
      'unexpected character at line 1, column 3051',
    ],
  ])('says where JSON is wrong, and quotes nothing of it: %#', async (raw, where) => {
    const answers = [await postRaw(raw), await account.api.post('/api/v1/session', undefined, { raw })];
    answers.push(await account.api.post('/api/v1/campaigns/', undefined, { raw }));
    for (const { text, body } of answers) {
      expect(body).toEqual({ error: 'bad_request', message: `the request body is not valid JSON: ${where}` });
      expect(text).not.toMatch(/hunter|4829/);
    }
  });

  it.each([
    ['an array', '[]'],
    ['a string', '"text"'],
    ['a number', '4711'],
    ['null', 'null'],
  ])('answers a body that is %s instead of an object with 400', async (_, raw) => {
    expect(await postRaw(raw)).toMatchObject({ status: 400, body: { error: 'bad_request' } });
  });

  it.each(['', ' ', '\r\n\t', '\ufeff\n'])('treats a body of nothing but white space as no body: %j', async (raw) => {
    for (const type of ['application/json', 'text/plain']) {
      const { status, body } = await postRaw(raw, { 'content-type': type });
      expect([status, body.message]).toEqual([400, expect.stringContaining('phone_number is required')]);
    }
  });

  it.each(['', '\n', '[]', 'null', '""', '" "'])('takes %j for no body wherever a body is optional', async (raw) => {
    const answers: string[] = [];
    const paths = OPTIONAL_BODIES.map((path) => `/api/v1/${path}`);
    const answer = async (method: string, path: string, given: string | undefined) => {
      const options = given === undefined ? {} : { raw: given };
      const { status, body } = await account.api.request<{ message?: string }>(method, path, undefined, options);
      return `${method} ${path}: ${status} ${status < 300 || body.message}`;
    };
    for (const path of paths) {
      answers.push(await answer('POST', path, raw));
      expect(answers.at(-1)).toBe(await answer('POST', path, undefined));
    }
    expect(answers.join()).not.toContain('must be a JSON object');
  });

  it.each(['gzip', 'br', 'identity, gzip', 'aws-chunked'])(
    'answers a body with Content-Encoding: %s with 415',
    async (encoding) => {
      const message = `the body must be sent without Content-Encoding (got ${encoding})`;
      const refused = { status: 415, body: { error: 'unsupported_media_type', message } };
      expect(await postRaw('{}', { 'content-encoding': encoding })).toMatchObject(refused);
      const upload = { raw: 'abc', headers: { 'content-encoding': encoding, 'content-type': 'text/csv' } };
      expect(await account.api.post('/api/v1/contacts/import', undefined, upload)).toMatchObject(refused);
      expect((await account.api.get(CONTACTS, { headers: { 'content-encoding': encoding } })).status).toBe(200);
    },
  );

  it('accepts a body with Content-Encoding: identity', async () => {
    const raw = JSON.stringify({ phone_number: uniquePhone(), first_name: 'Ada' });
    expect((await postRaw(raw, { 'content-encoding': 'Identity' })).status).toBe(201);
  });

  it.each([
    ['utf-16', 'utf16le'],
    ['UTF-16LE', 'utf16le'],
    ['utf-32', 'utf8'],
    ['iso-8859-1', 'latin1'],
    ['"windows-1252"', 'latin1'],
  ] as const)('answers a body in charset=%s with 415 that names it', async (charset, encoding) => {
    const bytes = Buffer.from(JSON.stringify({ phone_number: uniquePhone(), first_name: 'Jürgen' }), encoding);
    const message = `the body must be sent in UTF-8 (got charset ${charset.replaceAll('"', '')})`;
    expect(await postRaw(bytes, { 'content-type': `application/json; charset=${charset}` })).toMatchObject({
      status: 415,
      body: { error: 'unsupported_media_type', message },
    });
  });

  it.each(['iso-8859-1', 'us-ascii', '"UTF-8"', 'utf8'])(
    'accepts a body in UTF-8 sent with charset=%s',
    async (charset) => {
      const raw = JSON.stringify({ phone_number: uniquePhone(), first_name: 'Jürgen' });
      expect((await postRaw(raw, { 'content-type': `application/json; charset=${charset}` })).status).toBe(201);
    },
  );

  it('answers invalid UTF-8 with 400', async () => {
    const { status, body } = await postRaw(Buffer.from('{"first_name": "\xff\xfe"}', 'latin1'));
    expect(status).toBe(400);
    expect(body.message).toContain('UTF-8');
  });

  it.each([
    ['a NUL character', '{"phone_number": "4915112345678", "first_name": "A\\u0000B"}', 'first_name'],
    ['a lone surrogate', '{"phone_number": "4915112345678", "first_name": "A\\ud800B"}', 'first_name'],
    ['a NUL character in a key', '{"a\\u0000b": 1}', 'a key of the body'],
    ['a NUL character in a list', '{"tags": ["a", "A\\u0000B"]}', 'tags[1] must not'],
    ['a lone surrogate in a list of objects', '{"a": [[{"b": "\\ud800"}]]}', 'a[0][0].b must not'],
  ])('answers %s with 400 that names the field', async (_, raw, field) => {
    const { status, body } = await postRaw(raw);
    expect(status).toBe(400);
    expect(body.message).toContain(field);
  });

  it('answers a NUL character in a query with 400', async () => {
    expect(await account.api.get(`${CONTACTS}?search=a%00b`)).toMatchObject({ status: 400 });
  });

  it('answers a body nested too deeply with 400', async () => {
    const { status, body } = await postRaw(`${'[{"a":'.repeat(5000)}1${'}]'.repeat(5000)}`);
    expect(status).toBe(400);
    expect(body.message).toContain('32 levels');
  });

  it('ignores unknown fields', async () => {
    const phone = uniquePhone();
    const raw = `{"phone_number": "${phone}", "first_name": "Ada", "nonsense": 1}`;
    expect((await postRaw(raw)).status).toBe(201);
  });

  it.each(['text/plain', 'application/xml', 'multipart/form-data'])(
    'answers a body sent as %s with 415',
    async (type) => {
      expect(await postRaw('{}', { 'content-type': type })).toMatchObject({
        status: 415,
        body: { error: 'unsupported_media_type' },
      });
    },
  );

  it('answers a body of more than 1 MiB with 413 and accepts one of exactly 1 MiB', async () => {
    const padded = (size: number): string => {
      const frame = JSON.stringify({ nonsense: '' });
      return JSON.stringify({ nonsense: 'x'.repeat(size - frame.length) });
    };
    expect(await postRaw(padded(MIB + 1))).toMatchObject({ status: 413, body: { error: 'payload_too_large' } });
    expect((await postRaw(padded(MIB))).status).toBe(400);
  });

  it('answers a chunked body with 413 as soon as it is too large', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest(
        `${world.baseUrl}${CONTACTS}`,
        {
          method: 'POST',
          headers: { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      request.once('error', reject);
      for (let sent = 0; sent < 3 * MIB; sent += 64 * 1024) request.write('x'.repeat(64 * 1024));
      request.end();
    });
    expect(status).toBe(413);
  });

  it('answers 401 before it reads the body', async () => {
    const anonymous = new ApiClient(world.baseUrl, null);
    expect((await anonymous.post(CONTACTS, undefined, { raw: '{' })).status).toBe(401);
  });

  it('answers an unsupported method on a known path with 404 and names the supported ones', async () => {
    expect(await account.api.request('PUT', CONTACTS, {})).toMatchObject({
      status: 404,
      body: { error: 'not_found', message: `${CONTACTS} does not accept PUT; it accepts GET, HEAD, POST` },
    });
  });

  it('answers a malformed HTTP request with 400 in the standard shape', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(world.baseUrl).port), '127.0.0.1', () => socket.write('nonsense\r\n\r\n'));
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.once('error', reject);
      socket.once('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"error":"bad_request"');
  });
});
