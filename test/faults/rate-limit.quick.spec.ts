import { redisFound } from '../support/redis.js';
import { until } from '../support/until.js';
import type { CountedRequest } from './limited-key.js';
import { SPAN_MS } from './limited-key.js';
import { LimitedProcesses, type LimitStore } from './limited-processes.js';
import { describeLong } from './long.js';
import { pause } from './pause.js';

jest.setTimeout(900_000);

const LIMIT = 60;
const BACKENDS = redisFound ? (['PostgreSQL', 'Redis'] as const) : (['PostgreSQL'] as const);
if (!redisFound) console.warn('redis-server is not on the PATH: testing the rate limit only on PostgreSQL');

describe.each(BACKENDS)('the rate limit over two processes with wrong clocks, counted on %s', (backend) => {
  let limited: LimitedProcesses;
  beforeAll(async () => {
    limited = await LimitedProcesses.start(backend);
  });
  afterAll(() => limited?.stop());

  it('accepts exactly the limit of bursts that alternate between them, and leaves other keys alone', async () => {
    const [key, other] = [await limited.key(LIMIT), await limited.key(10)];
    for (const process of [...limited.processes, ...limited.processes]) {
      await Promise.all([key.burst(25, [process]), key.burst(10), other.burst(2)]);
    }
    expect([key.count(200), key.count(429)]).toEqual([LIMIT, 4 * 35 - LIMIT]);
    expect([other.count(200), other.count(429)]).toEqual([8, 0]);
    expect([...key.findings(), ...other.findings()]).toEqual([]);
  });

  // With 200, PostgreSQL counts requests of nearly the same time together.
  it.each([LIMIT, 200])('accepts no more around the edge of the window, at a limit of %d', async (limit) => {
    const key = await limited.key(limit);
    await key.burst(limit / 2);
    await limited.pass(key, 20_000);
    await key.burst(limit);
    expect(key.count(200)).toBe(limit);
    await limited.pass(key, SPAN_MS - 20_000 - 1000);
    await key.hammer(8, { everyMs: 80, forMs: 2000 });
    // However slow the machine was, this takes what has become free meanwhile.
    await key.burst(limit / 2);
    expect(key.findings()).toEqual([]);
    expect(key.count(200)).toBe(limit + limit / 2);
  });

  it('refuses with the time after which it accepts again, in both processes', async () => {
    const key = await limited.key(5);
    await key.burst(5);
    await limited.pass(key, SPAN_MS - 2500);
    const refused = await key.burst(2);
    expect(refused.map(({ status }) => status)).toEqual([429, 429]);
    await pause(1000 * Math.max(...refused.map(({ retryAfter }) => retryAfter)));
    expect((await key.burst(2)).map(({ status }) => status)).toEqual([200, 200]);
    expect(key.findings()).toEqual([]);
  });
});

describe('the rate limit over two processes while PostgreSQL is away', () => {
  let limited: LimitedProcesses;
  beforeAll(async () => {
    limited = await LimitedProcesses.start('PostgreSQL');
  });
  afterAll(() => limited?.stop());

  it('answers 503 with Retry-After, and goes on counting where it was', async () => {
    const key = await limited.key(LIMIT);
    await key.burst(LIMIT / 2);
    limited.stack.proxy.refuse();
    limited.stack.proxy.cut('reset');
    const away = await key.burst(20);
    await limited.stack.proxy.heal();
    expect(new Set(away.map(({ status }) => status))).toEqual(new Set([503]));
    expect(away.every(({ retryAfter }) => retryAfter >= 1)).toBe(true);
    const accepts = async () => (await key.burst(2)).every(({ status }) => status !== 503);
    await until('it accepts again', accepts);
    await key.burst(LIMIT);
    // None of the refused ones was counted: their transactions never reached the server.
    expect([key.count(200), key.mostInAWindow]).toEqual([LIMIT, LIMIT]);
  });
});

const withRedis = redisFound ? describe : describe.skip;

withRedis('the rate limit over two processes while Redis is away', () => {
  let limited: LimitedProcesses;
  beforeEach(async () => {
    limited = await LimitedProcesses.start('Redis');
  });
  afterEach(() => limited?.stop());

  const OUTAGES: [string, (store: LimitStore) => Promise<void> | void, (store: LimitStore) => Promise<void> | void][] =
    [
      ['stops and comes back empty', ({ redis }) => redis.halt(), ({ redis }) => redis.restart()],
      ['hangs for a while', ({ redis }) => redis.silence(), ({ redis }) => redis.resume()],
      [
        'cannot be reached',
        ({ path }) => {
          path.refuse();
          path.cut('reset');
        },
        ({ path }) => path.heal(),
      ],
    ];

  it.each(OUTAGES)('answers everything and accepts at most twice the limit when it %s', async (_, fail, heal) => {
    const [key, other] = [await limited.key(LIMIT), await limited.key(20)];
    const { store } = limited;
    if (store === null) throw new Error('this test needs Redis');
    const answered: CountedRequest[] = [];
    const burst = async () => {
      answered.push(...(await key.burst(LIMIT + 20)), ...(await other.burst(2)));
    };
    await burst();
    expect(key.count(200)).toBe(LIMIT);
    await fail(store);
    await burst();
    expect(key.count(200)).toBe(2 * LIMIT);
    await heal(store);
    for (let n = 0; n < 4; n += 1) {
      await pause(700);
      await burst();
    }
    await fail(store);
    await burst();
    await heal(store);
    await pause(1500);
    await burst();
    expect([key.mostInAWindow, other.count(200), other.count(429)]).toEqual([2 * LIMIT, 16, 0]);
    expect([...key.badAnswers(), ...other.badAnswers()]).toEqual([]);
  });
});

describeLong.each(BACKENDS)('the rate limit over two processes for minutes, counted on %s', (backend) => {
  it('is exact in every window', async () => {
    const limited = await LimitedProcesses.start(backend);
    try {
      const key = await limited.key(LIMIT);
      await key.hammer(5, { everyMs: 200, forMs: 2.5 * SPAN_MS });
      expect(key.findings()).toEqual([]);
      expect(key.count(200)).toBeGreaterThanOrEqual(3 * LIMIT - 5);
    } finally {
      await limited.stop();
    }
  });
});
