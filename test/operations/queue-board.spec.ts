import { World } from '../support/world.js';

const TOKEN = 'an operator’s token: with colons';

describe('GET /admin/queues', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start({ env: { ADMIN_TOKEN: TOKEN } });
  });
  afterAll(() => world.stop());
  const get = (headers: Record<string, string>) => fetch(`${world.baseUrl}/admin/queues`, { headers });
  const basic = (password: string) => ({ authorization: `Basic ${Buffer.from(`ops:${password}`).toString('base64')}` });

  it('shows each queue as JSON', async () => {
    const response = await get(basic(TOKEN));
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    // Other files of this database leave failed jobs behind.
    const empty = { waiting: 0, active: 0, delayed: 0, failed: expect.any(Number), oldest: null };
    expect(await response.json()).toEqual({
      queues: [
        { name: 'campaigns', ...empty },
        { name: 'webhooks', ...empty },
      ],
    });
  });

  it('shows browsers a page', async () => {
    const response = await get({ ...basic(TOKEN), accept: 'text/html,*/*' });
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toContain('<td>webhooks</td>');
  });

  it('asks for the token (401)', async () => {
    for (const headers of [{}, basic('wrong'), { authorization: 'Bearer wrong' }, { authorization: 'Basic' }]) {
      const response = await get(headers);
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([
        401,
        'Basic realm="Parley", charset="UTF-8"',
      ]);
      expect(await response.json()).toMatchObject({ error: 'unauthorized' });
    }
  });

  it('blocks an address after too many failures (429)', async () => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 40; attempt += 1) statuses.push((await get(basic('wrong'))).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await get(basic(TOKEN))).status).toBe(429);
  });
});

it('GET /admin/queues does not exist without ADMIN_TOKEN (404)', async () => {
  const world = await World.start();
  expect((await fetch(`${world.baseUrl}/admin/queues`)).status).toBe(404);
  await world.stop();
});
