import { redisFound, TestRedis } from '../support/redis.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { uniquePhone, World } from '../support/world.js';
import { PATIENT } from './campaigns.js';

const onRedis = redisFound ? describe : describe.skip;
if (!redisFound) console.warn('redis-server is not on the PATH: the campaign on Redis is left out');

onRedis('a campaign with REDIS_URL set', () => {
  let redis: TestRedis;
  let world: World;

  beforeAll(async () => {
    redis = await TestRedis.start();
    world = await World.start({ env: { ...PATIENT, REDIS_URL: redis.url } });
  });
  afterAll(async () => {
    await world.stop();
    await redis.stop();
  });

  it('sends to 1,000 contacts once each, with exact stats', async () => {
    const account = await world.account();
    const template = await approvedTemplate(world, account);
    await world.simulator.behave({ status_delay_ms: 5, callback_batch: 50 });
    const phones = Array.from({ length: 1000 }, () => uniquePhone());
    const { body } = await account.api.post<{ campaign_id: string }>('/api/v1/campaigns/', {
      name: 'On Redis',
      template_name: template.name,
      contacts: phones.map((phone) => ({ phone })),
    });
    expect((await account.api.post(`/api/v1/campaigns/${body.campaign_id}/send`)).status).toBe(202);
    const stats = await until('all are read', async () => {
      const { body: now } = await account.api.get<Record<string, unknown>>(
        `/api/v1/campaigns/${body.campaign_id}/stats`,
      );
      return now['campaign_status'] === 'completed' && now['read_count'] === 1000 ? now : null;
    });
    expect(stats).toMatchObject({ sent_count: 1000, delivered_count: 1000, failed_count: 0, success_count: 1000 });
    const ledger = await world.simulator.ledger(account.phone.phoneNumberId);
    expect(ledger.map(({ to }) => to).sort()).toEqual([...phones].sort());
  });
});
