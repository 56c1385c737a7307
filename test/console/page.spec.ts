import { once } from 'node:events';
import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { ApiClient } from '../support/api-client.js';
import { World } from '../support/world.js';
import { assets, builtText } from './built-console.js';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** An answer with its body as it was sent. */
async function sent(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const request = get(url, { headers, method });
  const [response] = await once(request, 'response');
  return { status: response.statusCode as number, headers: response.headers, body: await buffer(response) };
}

describe('the console’s page', () => {
  let world: World;
  let anonymous: ApiClient;

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    anonymous = new ApiClient(world.baseUrl, null);
  });
  afterAll(() => world.stop());

  const assetNamed = (pattern: RegExp): string => {
    const name = assets().find((candidate) => pattern.test(candidate));
    if (name === undefined) throw new Error(`no asset is named like ${pattern}`);
    return `/console/assets/${name}`;
  };

  it.each([
    '/console',
    '/console/',
    '/console/sign-in',
    '/console/welcome',
    '/console/0190c8f2-0000-7000-8000-000000000000/settings/you',
  ])('is served at %s, with its policy, and kept nowhere', async (path) => {
    const response = await anonymous.get(path);
    expect(response.status).toBe(200);
    expect(response.text).toBe(builtText('index.html'));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
  });

  it('answers HEAD for the page and for files without a body', async () => {
    for (const path of ['/console/', assetNamed(/^main-.*\.js$/)]) {
      expect(await anonymous.request('HEAD', path)).toMatchObject({ status: 200, text: '' });
    }
  });

  it.each([
    [/^main-.*\.js$/, 'application/javascript; charset=utf-8'],
    [/^style-.*\.css$/, 'text/css; charset=utf-8'],
    [/^inter-.*\.woff2$/, 'font/woff2'],
    [/^mark-.*\.svg$/, 'image/svg+xml'],
  ])('serves files like %s for good, because their names change with their content', async (pattern, type) => {
    const response = await anonymous.get(assetNamed(pattern));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')?.startsWith(type)).toBe(true);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it.each([
    ['the page', () => '/console/', 'index.html'],
    ['a script', () => assetNamed(/^main-.*\.js$/), undefined],
    ['the style sheet', () => assetNamed(/^style-.*\.css$/), undefined],
  ])('sends %s compressed once, and as it is to those who do not accept gzip', async (_, path, file) => {
    const url = world.baseUrl + path();
    const text = builtText(file ?? path().replace('/console/', ''));
    const compressed = await sent(url, { 'accept-encoding': 'gzip, deflate, br' });
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(String(compressed.headers.vary).toLowerCase()).toContain('accept-encoding');
    expect(gunzipSync(compressed.body).toString()).toBe(text);
    const plain = await sent(url, { 'accept-encoding': 'identity' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.body.toString()).toBe(text);
  });

  it('answers 404 for files that this version lacks, which nobody may keep', async () => {
    for (const file of ['main-OLD.js', 'nothing', '..%2findex.html', 'you/', '.gz']) {
      const response = await anonymous.get(`/console/assets/${file}`);
      expect([file, response.status]).toEqual([file, file.includes('%2f') ? expect.any(Number) : 404]);
      expect(response.text).not.toContain('<html');
      expect(response.headers.get('cache-control') ?? 'no-store').toBe('no-store');
    }
    expect((await anonymous.get('/console/assets/main-OLD.js')).body).toMatchObject({ error: 'not_found' });
  });

  it('accepts nothing but GET and HEAD', async () => {
    const response = await anonymous.post('/console/sign-in', {});
    expect(response).toMatchObject({ status: 404, body: { error: 'not_found' } });
    expect(response.headers.get('allow')).toBe('GET, HEAD');
  });

  it('is where browsers that come to / are led; other clients get the start page', async () => {
    const browser = await sent(`${world.baseUrl}/`, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect([browser.status, browser.headers.location]).toEqual([302, '/console/']);
    const client = await anonymous.get('/');
    expect(client).toMatchObject({ status: 200, body: { service: 'Parley', api: '/api/v1' } });
    for (const vary of [browser.headers.vary, client.headers.get('vary')]) expect(String(vary)).toContain('Accept');
  });

  it('is not served with CONSOLE=off', async () => {
    const off = await World.start({ env: { PARLEY_ROLES: 'api', CONSOLE: 'off' } });
    try {
      const client = new ApiClient(off.baseUrl, null);
      for (const path of ['/console', '/console/', '/console/sign-in', assetNamed(/^main-.*\.js$/)]) {
        expect((await client.get(path)).status).toBe(404);
      }
      const start = await sent(`${off.baseUrl}/`, { accept: 'text/html' });
      expect(start.status).toBe(200);
    } finally {
      await off.stop();
    }
  });
});
