import { MANIFEST } from '../../src/rooms.js';
import { freshDatabase } from '../support/database.js';
import { redisFound, TestRedis } from '../support/redis.js';
import { until } from '../support/until.js';
import { World } from '../support/world.js';

const TOKEN = 'an operator’s token: with colons';

const basic = (password: string) => ({ authorization: `Basic ${Buffer.from(`ops:${password}`).toString('base64')}` });

describe('GET /admin/queues', () => {
  let world: World;
  beforeAll(async () => {
    // Nobody else adds jobs to its queues, or fails to authenticate.
    world = await World.start({
      databaseUrl: await freshDatabase(),
      env: { ADMIN_TOKEN: TOKEN, PARLEY_ROLES: 'api' },
    });
  });
  afterAll(() => world.stop());
  const get = (headers: Record<string, string>, path = '') =>
    fetch(`${world.baseUrl}/admin/queues${path}`, { headers });

  it('shows each queue and its jobs, read-only', async () => {
    const response = await get(basic(TOKEN), '/api/queues');
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const { queues } = (await response.json()) as { queues: object[] };
    expect(queues).toMatchObject(
      MANIFEST.queues.map((name) => ({ name, readOnlyMode: true, counts: { waiting: 0, active: 0 } })),
    );
  });

  it('changes nothing (403)', async () => {
    for (const [method, path] of [
      ['PUT', '/api/queues/campaigns/pause'],
      ['PUT', '/api/queues/pause'],
      ['POST', '/api/queues/campaigns/add'],
      ['PATCH', '/api/queues/campaigns/1/priority'],
    ] as const) {
      const response = await fetch(`${world.baseUrl}/admin/queues${path}`, { method, headers: basic(TOKEN) });
      expect([method, path, response.status]).toEqual([method, path, 403]);
      expect(await response.json()).toMatchObject({ error: 'forbidden', message: 'the queue board is read-only' });
    }
  });

  it('shows browsers a page that loads nothing from elsewhere', async () => {
    const page = await get({ ...basic(TOKEN), accept: 'text/html,*/*' });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self' /,
    );
    const html = await page.text();
    expect(html).toContain('Parley queues');
    const [, script = ''] = /src="(static\/js\/main[^"]+)"/.exec(html) ?? [];
    expect((await get(basic(TOKEN), `/${script}`)).headers.get('content-type')).toMatch(/javascript/);
  });

  it('asks for the token (401)', async () => {
    for (const headers of [{}, basic('wrong'), { authorization: 'Bearer wrong' }, { authorization: 'Basic' }]) {
      for (const path of ['', '/api/queues', '/static/css/none.css']) {
        const response = await get(headers, path);
        expect([response.status, response.headers.get('www-authenticate')]).toEqual([
          401,
          'Basic realm="Parley", charset="UTF-8"',
        ]);
        expect(await response.json()).toMatchObject({ error: 'unauthorized' });
      }
    }
  });

  it('blocks an address after too many failures (429)', async () => {
    const statusOf = async (password: string) => (await get(basic(password))).status;
    await until('it is blocked, also with the right token', async () => {
      return (await statusOf('wrong')) === 429 && (await statusOf(TOKEN)) === 429;
    });
  });
});

it('GET /admin/queues does not exist without ADMIN_TOKEN (404)', async () => {
  const world = await World.start();
  try {
    expect((await fetch(`${world.baseUrl}/admin/queues`)).status).toBe(404);
  } finally {
    await world.stop();
  }
});

(redisFound ? it : it.skip)(
  'GET /admin/queues shows queues on Redis, and answers 503 while Redis is silent',
  async () => {
    const redis = await TestRedis.start();
    try {
      const world = await World.start({ env: { ADMIN_TOKEN: TOKEN, REDIS_URL: redis.url } });
      const get = () => fetch(`${world.baseUrl}/admin/queues/api/queues`, { headers: basic(TOKEN) });
      try {
        const { queues } = await until('Redis has answered in time', async () => {
          const response = await get();
          return response.status === 200 && ((await response.json()) as { queues: unknown[] });
        });
        expect(queues).toHaveLength(MANIFEST.queues.length);
        redis.silence();
        expect((await get()).status).toBe(503);
      } finally {
        redis.resume();
        await world.stop();
      }
    } finally {
      await redis.stop();
    }
  },
);
