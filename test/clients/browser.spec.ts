import path from 'node:path';
import { text } from 'node:stream/consumers';
import { createContext, runInContext } from 'node:vm';
import { build, stop } from 'esbuild';
import { ROOT } from '../sandbox/program.js';
import { LoopbackServer } from '../support/loopback-server.js';

const SOURCE = path.join(ROOT, 'clients/typescript/src/index.ts');

/** What a page has, and nothing of Node's. `crypto.randomUUID` is absent where the page came over plain http. */
const pageGlobals = () => ({
  ...{ fetch, Headers, Response, Blob, URL, URLSearchParams, AbortController, AbortSignal, performance },
  ...{ setTimeout, clearTimeout, ReadableStream, TextDecoder },
  crypto: { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes) },
});

describe('the client in a browser', () => {
  let program: string;

  beforeAll(async () => {
    const options = { bundle: true, platform: 'browser', format: 'iife', globalName: 'client', write: false } as const;
    const { outputFiles, warnings } = await build({ ...options, entryPoints: [SOURCE], logLevel: 'silent' });
    expect(warnings).toEqual([]);
    program = outputFiles[0]?.text ?? '';
  });
  afterAll(() => stop());

  /** Runs code that sees `client`, the exports of the package. */
  const runOnPage = (code: string, extra: object = {}): Promise<unknown> =>
    runInContext(`${program}\n(async () => { ${code} })()`, createContext({ ...pageGlobals(), ...extra }));

  it('sends, with a key, and comes again after a failure', async () => {
    const received: unknown[] = [];
    const server = await LoopbackServer.start(async (request, response) => {
      received.push([request.method, request.headers['idempotency-key'], await text(request)]);
      const [status, body] = received.length === 1 ? [502, 'Bad gateway'] : [201, '{"contact":{"id":"c"}}'];
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
    try {
      const answer = await runOnPage(
        `const parley = new client.Parley({ baseUrl, apiKey: 'pk_live_test' });
         return JSON.stringify(await parley.contacts.create({ phone_number: '4915112345678', first_name: 'Ada' }));`,
        { baseUrl: server.url('') },
      );
      expect(answer).toBe('{"contact":{"id":"c"}}');
      expect(received).toHaveLength(2);
      expect(received[1]).toEqual(received[0]);
      expect(received[0]).toEqual(['POST', expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringContaining('Ada')]);
    } finally {
      await server.stop();
    }
  });

  it('needs no key on a page whose browser authenticates, and adds headers to each attempt', async () => {
    const seen = await runOnPage(
      `const seen = [];
       const fetch = async (_url, { headers }) => {
         seen.push(headers);
         if (seen.length === 1) throw new TypeError('Failed to fetch');
         return new Response('{"contacts":[],"total":0,"page":1,"limit":20}');
       };
       const headers = () => ({ 'parley-account': String(seen.length) });
       await new client.Parley({ baseUrl: 'https://example.com', headers, fetch }).contacts.list();
       return JSON.stringify(seen);`,
    );
    expect(JSON.parse(String(seen))).toEqual([
      { accept: 'application/json', 'parley-account': '0' },
      { accept: 'application/json', 'parley-account': '1' },
    ]);
  });

  it('takes a redirect, whose target a browser hides, as an error', async () => {
    const opaque = { status: 0, type: 'opaqueredirect', ok: false, headers: new Headers(), body: null };
    const message = await runOnPage(
      `const fetch = async (_url, { redirect }) => redirect === 'manual' ? opaque : Promise.reject(new Error('followed'));
       const parley = new client.Parley({ baseUrl: 'https://example.com', apiKey: 'pk_live_test', fetch });
       return parley.contacts.list().then(() => 'succeeded', (error) => error.message);`,
      { opaque },
    );
    expect(message).toContain('redirected to an address that is not known here (browsers hide it)');
  });

  it('repeats a request whose connection broke, for which a browser gives no code', async () => {
    const calls = await runOnPage(
      `let calls = 0;
       const fetch = async () => {
         if (++calls === 1) throw new TypeError('Failed to fetch');
         return new Response('{"contacts":[],"total":0,"page":1,"limit":20}');
       };
       const parley = new client.Parley({ baseUrl: 'https://example.com', apiKey: 'pk_live_test', fetch });
       await parley.contacts.list();
       return calls;`,
    );
    expect(calls).toBe(2);
  });

  it('refuses to verify webhooks, because the secret would be public', async () => {
    const message = await runOnPage(
      `try {
         const headers = { 'webhook-id': 'a', 'webhook-timestamp': '1', 'webhook-signature': 'v1,' };
         client.verifyWebhook({ body: '{}', headers, secret: 's' });
       } catch (error) { return error.message; }`,
    );
    expect(message).toContain('verify webhooks on a server');
  });
});
