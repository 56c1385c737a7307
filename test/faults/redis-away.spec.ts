import { redisFound } from '../support/redis.js';
import { describeLong } from './long.js';
import { ABSENCES, type Absence, loseRedis } from './redis-away.js';

jest.setTimeout(900_000);

const OTHERS = (Object.keys(ABSENCES) as Absence[]).filter((absence) => absence !== 'hangs, including new connections');

(redisFound ? describeLong : describe.skip)('Redis goes away', () => {
  it.each(OTHERS)('affects no request and no campaign: %s', async (absence) => {
    expect(await loseRedis(absence)).toEqual([]);
  });
});
