import { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/until.js';
import { World } from '../support/world.js';

describe('errors and request ids', () => {
  let world: World;
  let anonymous: ApiClient;

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    anonymous = new ApiClient(world.baseUrl, null);
  });
  afterAll(() => world.stop());

  it('answers an unknown route with 404 in the standard shape, without a key', async () => {
    const response = await anonymous.get('/api/v1/nothing');
    expect(response.status).toBe(404);
    expect(response.body).toEqual({ error: 'not_found', message: 'there is no route GET /api/v1/nothing' });
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('answers a URL that cannot be decoded with 400 in the standard shape', async () => {
    const response = await anonymous.get('/%zz');
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ error: 'bad_request' });
  });

  it('echoes a valid X-Request-Id and replaces any other', async () => {
    const sane = await anonymous.get('/health/live', { headers: { 'x-request-id': 'order-4711' } });
    expect(sane.headers.get('x-request-id')).toBe('order-4711');
    const personal = await anonymous.get('/health/live', { headers: { 'x-request-id': 'order-4915112345678' } });
    expect(personal.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const insane = await anonymous.get('/health/live', { headers: { 'x-request-id': 'a b<script>' } });
    expect(insane.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(['/health/live', '/api/v1/nothing'])(
    'answers %s with headers that keep browsers from guessing',
    async (path) => {
      const { headers } = await anonymous.get(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
      expect(headers.get('strict-transport-security')).toContain('max-age=');
    },
  );

  it('reports that database and queue are ready', async () => {
    // A check that takes long on a busy machine counts as failed.
    await eventually(async () => {
      const response = await anonymous.get('/health/ready');
      expect(response.status).toBe(200);
      expect(response.body).toEqual({ status: 'ok', checks: { database: 'ok', schema: 'ok', queue: 'ok' } });
    });
  });
});
