import { redisFound } from '../support/redis.js';
import { loseRedis } from './redis-away.js';

jest.setTimeout(240_000);

(redisFound ? describe : describe.skip)('Redis falls silent', () => {
  it('is missed by no request and no campaign, and SIGTERM ends the process meanwhile', async () => {
    expect(await loseRedis('hangs, new connections too')).toEqual([]);
  });
});
