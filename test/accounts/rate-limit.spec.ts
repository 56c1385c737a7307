import { createParley, type Parley } from '../../src/bootstrap.js';
import { newRecordId } from '../../src/values/record-id.js';
import { ApiClient } from '../support/api-client.js';
import { crowd } from '../support/crowd.js';
import { World } from '../support/world.js';

describe('the rate limit of an API key', () => {
  let world: World;
  let second: Parley;
  let secondUrl: string;
  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    second = await createParley(world.environment);
    secondUrl = await second.listen();
  });
  afterAll(async () => {
    await second.close();
    await world.stop();
  });

  it('accepts exactly 100 of 130 parallel requests across two processes and rejects the others with 429', async () => {
    const { api, apiKey } = await world.account({ rateLimit: 100 });
    const clients = [api, new ApiClient(secondUrl, apiKey)];
    // What is accepted counts, whatever its outcome. These need no turn at the database, for which they might be
    // repeated and counted twice; and so many at once that together they don't take the minute of the limit.
    const answers = await crowd(130, (n) => (clients[n % 2] ?? api).get('/api/v1/agents/?role=boss'), 30);
    const accepted = answers.filter(({ status }) => status === 400);
    const refused = answers.filter(({ status }) => status === 429);
    expect([accepted.length, refused.length]).toEqual([100, 30]);
    const left = accepted.map(({ headers }) => Number(headers.get('ratelimit-remaining')));
    expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n));
    for (const { headers, body } of refused) {
      const retryAfter = Number(headers.get('retry-after'));
      expect(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 60).toBe(true);
      expect(headers.get('ratelimit-limit')).toBe('100');
      expect(headers.get('ratelimit-remaining')).toBe('0');
      expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThanOrEqual(1);
      expect(body).toEqual({
        error: 'rate_limited',
        message: expect.stringMatching(/^at most 100 requests are accepted in any 60 seconds; retry in \d+ s$/),
      });
    }
  });

  it('is reported on every authenticated response and counts every request, whatever its outcome', async () => {
    const { api } = await world.account({ rateLimit: 100, scopes: ['agents:read', 'contacts:read', 'contacts:write'] });
    const answers = [
      await api.get('/api/v1/agents/'),
      await api.get('/api/v1/agents/?role=boss'),
      await api.get('/api/v1/business-phones/'),
      await api.get(`/api/v1/contacts/${newRecordId()}`),
      await api.post('/api/v1/contacts/', undefined, { raw: '{' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 403, 404, 400]);
    expect(answers.map(({ headers }) => headers.get('ratelimit-limit'))).toEqual(Array(5).fill('100'));
    expect(answers.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['99', '98', '97', '96', '95']);
    for (const { headers } of answers) {
      const reset = Number(headers.get('ratelimit-reset'));
      expect(Number.isInteger(reset) && reset >= 1 && reset <= 60).toBe(true);
    }
  });

  it('does not count requests to unknown routes', async () => {
    const { api } = await world.account({ rateLimit: 2 });
    for (let n = 0; n < 3; n += 1) expect((await api.get('/api/v1/nope')).status).toBe(404);
    const { status, headers } = await api.get('/api/v1/agents/');
    expect([status, headers.get('ratelimit-remaining')]).toEqual([200, '1']);
  });

  it('can be set on the key', async () => {
    const { api } = await world.account({ rateLimit: 3 });
    const statuses = [];
    for (let n = 0; n < 5; n += 1) statuses.push((await api.get('/api/v1/agents/')).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });

  it('is shared by all routes of a key, and separate for each key', async () => {
    const [one, other] = await Promise.all([world.account({ rateLimit: 1 }), world.account({ rateLimit: 1 })]);
    expect((await one.api.get('/api/v1/agents/')).status).toBe(200);
    expect((await one.api.get('/api/v1/business-phones/')).status).toBe(429);
    expect((await other.api.get('/api/v1/business-phones/')).status).toBe(200);
  });
});
