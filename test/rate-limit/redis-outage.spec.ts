import { Logger } from '@nestjs/common';
import { Pipeline } from '../../src/database/unit-of-work.js';
import { PostgresRequestWindows } from '../../src/rate-limit/postgres-request-windows.js';
import { RedisOrPostgresWindows } from '../../src/rate-limit/redis-or-postgres-windows.js';
import { RedisOutages } from '../../src/rate-limit/redis-outages.js';
import { RedisRequestWindows } from '../../src/rate-limit/redis-request-windows.js';
import { newRecordId } from '../../src/values/record-id.js';
import { crowd } from '../support/crowd.js';
import { HeldTimers } from '../support/held-timers.js';
import { redisFound, TestRedis } from '../support/redis.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';

if (!redisFound) console.warn('redis-server is not on the PATH: skipping the tests of Redis outages');

/**
 * How long a request waits for Redis, milliseconds. The wait ends when a test says so: on a busy machine Redis may take
 * longer although nothing is wrong with it.
 */
const REDIS_WAIT_MS = 250;

(redisFound ? describe : describe.skip)('while Redis is down', () => {
  let redis: TestRedis;
  let world: World;
  let outages: RedisOutages;
  let waits: HeldTimers;

  beforeEach(async () => {
    redis = await TestRedis.start();
    waits = HeldTimers.of(REDIS_WAIT_MS);
    world = await World.start({ env: { PARLEY_ROLES: 'api', REDIS_URL: redis.url, TRUST_PROXY: '1' } });
    outages = world.parley.app.get(RedisOutages, { strict: false });
  });
  afterEach(async () => {
    redis.resume();
    waits.runOut();
    waits.letGo();
    await world.stop();
    await redis.stop();
  });

  const statusOf = async ({ api }: TestAccount) => (await api.get('/api/v1/agents/')).status;
  /** The outcome of `work` while Redis is away: whoever waits for it waits in vain. */
  const meanwhile = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    const end = (): void => {
      isOver = true;
    };
    void work.then(end, end);
    await until('it is done without Redis', () => {
      waits.runOut();
      return isOver;
    });
    return work;
  };
  /** Sends many requests and returns their statuses. */
  const statusesOf = (account: TestAccount, requests: number) => meanwhile(crowd(requests, () => statusOf(account)));
  const countOf = (statuses: number[], status: number) => statuses.filter((each) => each === status).length;
  const isBack = () => until('Redis is back', () => !outages.present);

  const WAYS: [string, () => Promise<void> | void, () => Promise<void> | void][] = [
    ['stopped', () => redis.halt(), () => redis.restart()],
    ['silent', () => redis.silence(), () => redis.resume()],
  ];

  it.each(WAYS)('when it is %s, requests are answered without it and counted in PostgreSQL', async (_, fail, heal) => {
    const account = await world.account({ rateLimit: 30 });
    expect(await statusOf(account)).toBe(200);
    expect(outages).toMatchObject({ present: false, total: 0, requests: 0 });

    await fail();
    // Redis stays away until all are answered.
    expect(countOf(await statusesOf(account, 20), 200)).toBe(20);
    // The limit holds: 30 are accepted during the outage, whatever Redis had counted before.
    const second = await statusesOf(account, 20);
    expect([countOf(second, 200), countOf(second, 429)]).toEqual([10, 10]);
    expect(outages).toMatchObject({ present: true, total: 1, requests: 40 });

    await heal();
    waits.runOut();
    await isBack();
    const counted = outages.requests;
    const other = await world.account({ rateLimit: 2 });
    expect([await statusOf(other), await statusOf(other), await statusOf(other)]).toEqual([200, 200, 429]);
    expect(outages).toMatchObject({ present: false, total: 1, requests: counted });
  });

  it('only the first requests wait for it', async () => {
    const account = await world.account();
    expect(await statusOf(account)).toBe(200);
    redis.silence();
    const takes = jest.spyOn(RedisRequestWindows.prototype, 'take');
    const asked = () => takes.mock.calls.filter(([subject]) => subject !== 'probe').length;
    try {
      await statusesOf(account, 5);
      const before = asked();
      expect(before).toBeGreaterThan(0);
      for (let n = 0; n < 40; n += 1) expect(await statusOf(account)).toBe(200);
      expect(asked()).toBe(before);
    } finally {
      takes.mockRestore();
    }
    expect(outages.total).toBe(1);
  });

  it('failed authentications are counted too', async () => {
    await redis.halt();
    const fail = () =>
      fetch(`${world.baseUrl}/api/v1/agents/`, { headers: { 'x-forwarded-for': '192.0.2.77' } }).then(
        ({ status }) => status,
      );
    const statuses = [];
    for (let n = 0; n < 31; n += 1) statuses.push(await fail());
    expect(statuses).toEqual([...Array(30).fill(401), 429]);
  });

  it('a process starts, answers, and switches to Redis when it comes up', async () => {
    await redis.halt();
    const late = new RedisOutages();
    const onPostgres = new PostgresRequestWindows(world.parley.app.get(Pipeline));
    const windows = new RedisOrPostgresWindows(new RedisRequestWindows(redis.url), onPostgres, late);
    const redisAlone = new RedisRequestWindows(redis.url);
    try {
      const subject = `key:${newRecordId()}`;
      expect(await meanwhile(windows.take(subject, 1, 60_000))).toMatchObject({ allowed: true });
      expect(await meanwhile(windows.take(subject, 1, 60_000))).toMatchObject({ allowed: false });
      await redis.restart();
      await until('Redis is found', () => !late.present);
      // PostgreSQL goes on deciding for a minute, while Redis counts along.
      expect(await windows.take(subject, 1, 60_000)).toMatchObject({ allowed: false });
      const another = `key:${newRecordId()}`;
      expect(await windows.take(another, 1, 60_000)).toMatchObject({ allowed: true });
      await until('the other connection is there', () => redisAlone.probe());
      expect(await redisAlone.take(another, 1, 60_000)).toMatchObject({ allowed: false });
      expect(await windows.take(subject, 1, 1)).toMatchObject({ allowed: true });
    } finally {
      redisAlone.close();
      windows.onApplicationShutdown();
    }
  });

  it('each outage and its end are logged once', async () => {
    const log = { warn: [] as string[], log: [] as string[] };
    const heard = (level: 'warn' | 'log') => (message: string) => void log[level].push(message);
    const [warn, info] = [
      jest.spyOn(Logger.prototype, 'warn').mockImplementation(heard('warn')),
      jest.spyOn(Logger.prototype, 'log').mockImplementation(heard('log')),
    ];
    try {
      const account = await world.account();
      for (let outage = 1; outage <= 2; outage += 1) {
        await statusOf(account);
        await redis.halt();
        await statusesOf(account, 10);
        await redis.restart();
        await isBack();
      }
    } finally {
      warn.mockRestore();
      info.mockRestore();
    }
    expect(log.warn.filter((line) => line.startsWith('Redis is unavailable'))).toHaveLength(2);
    expect(log.log.filter((line) => line.startsWith('Redis is back'))).toHaveLength(2);
  });
});
