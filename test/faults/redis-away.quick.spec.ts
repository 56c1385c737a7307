import { redisFound } from '../support/redis.js';
import { loseRedis } from './redis-away.js';

jest.setTimeout(900_000);

(redisFound ? describe : describe.skip)('Redis falls silent', () => {
  it('affects no request and no campaign, and SIGTERM still ends the process', async () => {
    expect(await loseRedis('hangs, including new connections')).toEqual([]);
  });
});
