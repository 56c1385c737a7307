import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  Parley,
  ParleyConnectionError,
  ParleyError,
  type ParleyOptions,
  ParleyTimeoutError,
} from '../../clients/typescript/src/index.js';
import { HeldTimers } from '../support/held-timers.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { until } from '../support/until.js';

interface Received {
  readonly key: string | undefined;
  readonly body: string;
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
const created = json(201, { contact: { id: 'c' } });
const refused = (status: number, error: string, headers?: Record<string, string>): Answer =>
  json(status, { error, message: 'not now' }, headers);
const reset: Answer = (_response, request) => request.socket.destroy();
const silence: Answer = () => undefined;

const CONTACT = { phone_number: '4915112345678', first_name: 'Ada' };

describe('the client’s retries', () => {
  let server: LoopbackServer;
  let answers: Answer[] = [];
  const received: Received[] = [];

  beforeAll(async () => {
    server = await LoopbackServer.start(async (request, response) => {
      received.push({ key: request.headers['idempotency-key']?.toString(), body: await text(request) });
      // A connection that the server closes while it is idle would break a request that is not repeated.
      response.setHeader('connection', 'close');
      (answers.shift() ?? silence)(response, request);
    });
  });
  beforeEach(() => {
    received.length = 0;
  });
  afterAll(() => server.stop());

  const client = (options: Partial<ParleyOptions> = {}): Parley =>
    new Parley({ baseUrl: server.url(''), apiKey: 'pk_live_test', ...options });
  const answerWith = (...wanted: Answer[]): void => {
    answers = wanted;
  };
  const failure = (call: PromiseLike<unknown>): Promise<unknown> =>
    Promise.resolve(call).then(
      () => Promise.reject(new Error('the call succeeded')),
      (error: unknown) => error,
    );

  it.each([
    [503, 'unavailable'],
    [429, 'rate_limited'],
    [409, 'conflict'],
  ])('repeats a POST after %i with Retry-After, with the same key and body', async (status, code) => {
    answerWith(refused(status, code, { 'retry-after': '0' }), created);
    await client().contacts.create(CONTACT);
    expect(received).toHaveLength(2);
    expect(received[1]).toEqual(received[0]);
    expect(received[0]?.key).toMatch(/^[0-9a-f]{32}$/);
    expect(JSON.parse(received[0]?.body ?? '')).toEqual(CONTACT);
  });

  it.each([502, 503, 504, 429])('repeats a POST after a proxy’s %i, with the same key and body', async (status) => {
    const badGateway: Answer = (response) => response.writeHead(status).end('<h1>Bad gateway</h1>');
    answerWith(badGateway, badGateway, created);
    await client().contacts.create(CONTACT);
    expect(received).toHaveLength(3);
    expect(new Set(received.map((each) => JSON.stringify(each))).size).toBe(1);
  });

  it('waits as long as a proxy asks', async () => {
    const busy: Answer = (response) => response.writeHead(502, { 'retry-after': '60' }).end();
    answerWith(busy);
    const error = await failure(client({ retryWithinMs: 59_000 }).contacts.create(CONTACT));
    expect(error).toMatchObject({ status: 502, retryAfterSeconds: 60 });
    expect(received).toHaveLength(1);
  });

  it.each([502, 503, 504])('does not repeat a PATCH or DELETE after a proxy’s %i', async (status) => {
    for (const call of [() => client().contacts.change('c', {}), () => client().contacts.delete('c')]) {
      answerWith((response) => response.writeHead(status).end());
      expect(await failure(call())).toMatchObject({ status });
    }
    expect(received).toHaveLength(2);
  });

  it.each([301, 302, 303, 307, 308])('takes a %i as an error that names its target', async (status) => {
    for (const [location, target] of [
      ['/api/v2/contacts/', server.url('/api/v2/contacts/')],
      ['https://example.org/', 'https://example.org/'],
    ] as const) {
      answerWith((response) => response.writeHead(status, { location }).end('moved'));
      const error = await failure(client().contacts.create(CONTACT));
      expect(error).toMatchObject({ status, code: null, idempotencyKey: received.at(-1)?.key });
      expect(error).toMatchObject({ message: expect.stringContaining(`redirected to ${target}; `) });
    }
    expect(received).toHaveLength(2);
  });

  it.each(['keep-alive', 'close'])('repeats a POST whose answer broke off (connection: %s)', async (connection) => {
    const cutShort: Answer = (response) => {
      response.setHeader('connection', connection);
      response.writeHead(201, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"contact":', () => response.destroy());
    };
    answerWith(cutShort, created);
    expect(await client().contacts.create(CONTACT)).toEqual({ contact: { id: 'c' } });
    expect(received).toHaveLength(2);
  });

  it('iterates over numbered pages until one is not full, whatever the total says', async () => {
    const page = (from: number, length: number): Answer =>
      json(200, {
        contacts: Array.from({ length }, (_, n) => ({ id: `${from + n}` })),
        ...{ total: 3, total_is_capped: true, limit: 2 },
      });
    answerWith(page(0, 2), page(2, 2), page(4, 1));
    const ids: string[] = [];
    for await (const { id } of client().contacts.list({ page: 1, limit: 2 })) ids.push(id);
    expect(ids).toEqual(['0', '1', '2', '3', '4']);
    answerWith(page(0, 2), page(2, 0));
    const sizes: number[] = [];
    for await (const { contacts } of client().contacts.list({ page: 1, limit: 2 }).pages()) sizes.push(contacts.length);
    expect(sizes).toEqual([2]);
  });

  it('repeats a POST whose connection broke, with the same key', async () => {
    answerWith(reset, created);
    await client().contacts.create(CONTACT, { idempotencyKey: 'mine' });
    expect(received.map(({ key }) => key)).toEqual(['mine', 'mine']);
  });

  it('does not repeat a PATCH or DELETE whose connection broke', async () => {
    for (const call of [() => client().contacts.change('c', {}), () => client().contacts.delete('c')]) {
      answerWith(reset);
      expect(await failure(call())).toBeInstanceOf(ParleyConnectionError);
    }
    expect(received).toHaveLength(2);
  });

  it.each([
    ['504', refused(504, 'network_timeout', { 'x-message-id': 'm' })],
    ['504 with Retry-After', refused(504, 'network_timeout', { 'retry-after': '0', 'x-message-id': 'm' })],
    ['503 without Retry-After', refused(503, 'network_unavailable', { 'x-message-id': 'm' })],
    ['500', refused(500, 'internal_error', { 'x-message-id': 'm' })],
  ])('does not repeat a send after %s, and names its message', async (_what, answer) => {
    answerWith(answer);
    const error = await failure(client().messages.send({ template_name: 't', contact_phone: '4915112345678' }));
    expect(error).toMatchObject({ messageId: 'm', idempotencyKey: received[0]?.key });
    expect(received).toHaveLength(1);
  });

  it('stops after maxRetries, and reports the last answer', async () => {
    const busy = refused(503, 'unavailable', { 'retry-after': '0', 'x-request-id': 'r' });
    answerWith(busy, busy, busy, busy);
    const error = await failure(client({ maxRetries: 2 }).contacts.list());
    expect(error).toMatchObject({ status: 503, code: 'unavailable', retryAfterSeconds: 0, requestId: 'r' });
    expect(received).toHaveLength(3);
    answerWith(busy);
    await failure(client().contacts.create(CONTACT, { maxRetries: 0 }));
    expect(received).toHaveLength(4);
  });

  it('does not wait longer than retryWithinMs', async () => {
    answerWith(refused(429, 'rate_limited', { 'retry-after': '60' }));
    const error = await failure(client({ retryWithinMs: 59_000 }).contacts.list());
    expect(error).toMatchObject({ status: 429, code: 'rate_limited', retryAfterSeconds: 60 });
    expect(received).toHaveLength(1);
  });

  it('reports a server that does not listen', async () => {
    const parley = new Parley({ baseUrl: 'http://127.0.0.1:1', apiKey: 'key', maxRetries: 1 });
    const error = await failure(parley.contacts.list());
    expect(error).toBeInstanceOf(ParleyConnectionError);
    expect(error).toMatchObject({ status: null, code: null, message: expect.stringContaining('http://127.0.0.1:1') });
  });

  it('reports an attempt that takes longer than timeoutMs, and does not repeat it', async () => {
    answerWith(silence, created);
    const timeoutMs = 61_234;
    const timers = HeldTimers.of(timeoutMs);
    try {
      const error = failure(client({ timeoutMs }).contacts.create(CONTACT));
      await until('the request arrives', () => received.length > 0);
      timers.runOut();
      expect(await error).toBeInstanceOf(ParleyTimeoutError);
      expect(received).toHaveLength(1);
    } finally {
      timers.letGo();
    }
  });

  it('ends a request and a wait when the signal is aborted', async () => {
    const pending = new AbortController();
    answerWith((_response) => pending.abort());
    expect(await failure(client().contacts.create(CONTACT, { signal: pending.signal }))).toBe(pending.signal.reason);
    const waiting = new AbortController();
    answerWith((response, request) => {
      refused(429, 'rate_limited', { 'retry-after': '30' })(response, request);
      response.once('close', () => setTimeout(() => waiting.abort(), 20));
    });
    expect(await failure(client().contacts.list({}, { signal: waiting.signal }))).toBe(waiting.signal.reason);
    expect(await failure(client().contacts.list({}, { signal: AbortSignal.abort('no') }))).toBe('no');
    expect(received).toHaveLength(2);
  });

  it('reports answers that are not Parley’s', async () => {
    answerWith((response) => response.writeHead(502).end('<h1>Bad gateway</h1>'));
    expect(await failure(client({ maxRetries: 0 }).contacts.list())).toMatchObject({
      status: 502,
      code: null,
      detail: '<h1>Bad gateway</h1>',
    });
    answerWith((response) => response.writeHead(200).end('<h1>Welcome</h1>'));
    const error = await failure(client().contacts.list());
    expect(error).toBeInstanceOf(ParleyError);
    expect(error).toMatchObject({ status: 200, detail: expect.stringContaining('not JSON') });
  });

  it('refuses addresses, keys and path parameters that cannot work', async () => {
    expect(() => new Parley({ baseUrl: 'ftp://example.com', apiKey: 'key' })).toThrow(TypeError);
    expect(() => new Parley({ baseUrl: 'example.com', apiKey: 'key' })).toThrow(TypeError);
    expect(() => new Parley({ baseUrl: 'https://example.com', apiKey: 'a key\n' })).toThrow(TypeError);
    expect(await failure(client().contacts.get(''))).toBeInstanceOf(TypeError);
    expect(received).toHaveLength(0);
  });
});
