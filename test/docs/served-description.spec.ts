import fastify from 'fastify';
import { serveAsJson } from '../../src/api-description/serve-description.js';
import { ApiClient } from '../support/api-client.js';
import { World } from '../support/world.js';

const PATH = '/openapi.json';

describe('the served description', () => {
  let world: World;
  let anonymous: ApiClient;

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    anonymous = new ApiClient(world.baseUrl, null);
  });
  afterAll(() => world.stop());

  it('is the same text for every request, with an ETag of its content', async () => {
    const [first, second] = [await anonymous.get(PATH), await anonymous.get(PATH)];
    expect(first.status).toBe(200);
    expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(first.headers.get('etag')).toMatch(/^"[0-9a-f]{64}"$/);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(second.text).toBe(first.text);
  });

  it('is 304 for a client that has it, compressed or not', async () => {
    const etag = String((await anonymous.get(PATH)).headers.get('etag'));
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, headers, text } = await anonymous.get(PATH, { headers: { 'if-none-match': known } });
      expect([status, headers.get('etag'), text]).toEqual([304, etag, '']);
    }
    expect((await anonymous.get(PATH, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it('has no body for HEAD', async () => {
    const { status, headers, text } = await anonymous.request('HEAD', PATH);
    expect([status, text]).toEqual([200, '']);
    expect(headers.get('etag')).toBe((await anonymous.get(PATH)).headers.get('etag'));
  });

  it.each(['/openapi.yaml', '/docs-json', '/docs-yaml'])('has no other form at %s', async (path) => {
    expect((await anonymous.get(path)).status).toBe(404);
  });

  it('is part of the page that shows it', async () => {
    const [page, script] = [await anonymous.get('/docs'), await anonymous.get('/docs/swagger-ui-init.js')];
    expect(page.text).toContain('swagger-ui-init.js');
    expect(script.status).toBe(200);
    const [, options = ''] = /let options = (\{[\s\S]*?\n\});\n/.exec(script.text) ?? [];
    expect(JSON.parse(options).swaggerDoc).toEqual((await anonymous.get(PATH)).body);
  });
});

describe('a document that is served as JSON', () => {
  it('is read and serialised once, for the first request', async () => {
    let [reads, serialisations] = [0, 0];
    const server = fastify();
    serveAsJson(server, '/document.json', () => {
      reads += 1;
      return {
        toJSON: () => {
          serialisations += 1;
          return { greeting: 'Grüß Gott' };
        },
      };
    });
    expect([reads, serialisations]).toEqual([0, 0]);
    const answers = [await server.inject('/document.json'), await server.inject('/document.json')];
    answers.push(await server.inject({ url: '/document.json', headers: { 'if-none-match': '"other"' } }));
    expect(answers.map(({ body }) => body)).toEqual(Array(3).fill('{"greeting":"Grüß Gott"}'));
    expect([reads, serialisations]).toEqual([1, 1]);
    await server.close();
  });
});
