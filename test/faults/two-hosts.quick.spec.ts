import { redisFound, TestRedis } from '../support/redis.js';
import { RestartedHosts } from './restarted-hosts.js';

jest.setTimeout(600_000);

const IS_SHORT = process.env['FAULT_ROUNDS'] === '1';
const ROUNDS = IS_SHORT ? 1 : 3;
/** Both take minutes; the short run takes the one with more parts. */
const BACKENDS = [...(redisFound ? ['Redis'] : []), ...(redisFound && IS_SHORT ? [] : ['PostgreSQL'])];
if (!redisFound) console.warn('redis-server is not on the PATH: testing two hosts only with PostgreSQL');

describe.each(BACKENDS)('two hosts behind a load balancer, with queues on %s', (backend) => {
  let redis: TestRedis | null = null;
  let scene: RestartedHosts;
  beforeAll(async () => {
    redis = backend === 'Redis' ? await TestRedis.start() : null;
    scene = await RestartedHosts.start(redis === null ? {} : { REDIS_URL: redis.url });
  });
  afterAll(async () => {
    await scene?.stop();
    await redis?.stop();
  });

  it('are restarted one after the other without a failed request, and lose nothing when one of them dies', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      expect(await scene.roll()).toEqual([]);
      expect(await scene.loseHost()).toEqual([]);
    }
    expect(await scene.findings()).toEqual([]);
  });
});
