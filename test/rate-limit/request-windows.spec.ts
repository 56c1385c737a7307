import { createDataSource } from '../../src/database/connections/data-source.js';
import { Pipeline } from '../../src/database/unit-of-work.js';
import { PostgresRequestWindows } from '../../src/rate-limit/postgres-request-windows.js';
import { RedisRequestWindows } from '../../src/rate-limit/redis-request-windows.js';
import type { RequestWindows } from '../../src/rate-limit/request-windows.js';
import { newRecordId } from '../../src/values/record-id.js';
import { crowd } from '../support/crowd.js';
import { workerDatabase } from '../support/database.js';
import { HeldTimers } from '../support/held-timers.js';
import { redisFound, TestRedis } from '../support/redis.js';
import { until } from '../support/until.js';

/** How long a request waits for Redis, milliseconds. */
const REDIS_WAIT_MS = 250;

const BACKENDS = redisFound ? ['PostgreSQL', 'Redis'] : ['PostgreSQL'];
if (!redisFound) console.warn('redis-server is not on the PATH: testing the windows only on PostgreSQL');

describe.each(BACKENDS)('request windows on %s', (backend) => {
  const stops: (() => Promise<unknown> | undefined)[] = [];
  /** Two processes of the same service. */
  let processes: [RequestWindows, RequestWindows];

  beforeAll(async () => {
    if (backend === 'Redis') {
      const redis = await TestRedis.start();
      // On a busy machine Redis may take longer than a request waits for it, also for the connection.
      const timers = HeldTimers.of(REDIS_WAIT_MS);
      const [a, b] = [new RedisRequestWindows(redis.url), new RedisRequestWindows(redis.url)];
      stops.push(
        async () => timers.letGo(),
        async () => a.close(),
        async () => b.close(),
        () => redis.stop(),
      );
      processes = [a, b];
      return;
    }
    const open = async (): Promise<RequestWindows> => {
      const source = await createDataSource({ url: await workerDatabase(), poolSize: 4 }).initialize();
      const pipeline = new Pipeline(source);
      stops.push(
        () => pipeline.onApplicationShutdown(),
        () => source.destroy(),
      );
      return new PostgresRequestWindows(pipeline);
    };
    processes = [await open(), await open()];
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
  });

  it('accept exactly the limit of many concurrent requests across processes', async () => {
    const subject = `key:${newRecordId()}`;
    // All at once, because each process counts in one statement what waits for it.
    const answers = await crowd(60, (index) => processes[index % 2 ? 1 : 0].take(subject, 25, 60_000), 60);
    const accepted = answers.filter(({ allowed }) => allowed);
    expect(accepted).toHaveLength(25);
    expect(accepted.map(({ used }) => used).sort((a, b) => a - b)).toEqual(Array.from({ length: 25 }, (_, i) => i + 1));
    for (const { resetMs } of answers) expect(resetMs).toBeGreaterThan(0);
  });

  it('never accept more than the limit in any interval, and accept again as requests leave it', async () => {
    const subject = `key:${newRecordId()}`;
    const span = 400;
    const accepted: { before: number; after: number }[] = [];
    await until('the window has moved on several times', async () => {
      const before = performance.now();
      const { allowed } = await processes[0].take(subject, 5, span);
      if (allowed) accepted.push({ before, after: performance.now() });
      return accepted.length >= 18;
    });
    for (let index = 5; index < accepted.length; index += 1) {
      const [first, last] = [accepted[index - 5], accepted[index]];
      // A request is accepted some time during its call. Redis counts in whole milliseconds.
      expect((last?.after ?? 0) - (first?.before ?? 0)).toBeGreaterThan(span - 2);
    }
  });

  it('count each subject separately, with its own limit', async () => {
    const [a, b] = [`key:${newRecordId()}`, `key:${newRecordId()}`];
    expect((await processes[0].take(a, 1, 60_000)).allowed).toBe(true);
    expect((await processes[1].take(a, 1, 60_000)).allowed).toBe(false);
    expect((await processes[1].take(b, 2, 60_000)).allowed).toBe(true);
  });

  it('apply a raised or lowered limit at the next request', async () => {
    const subject = `key:${newRecordId()}`;
    for (let count = 0; count < 3; count += 1) await processes[0].take(subject, 3, 60_000);
    expect((await processes[0].take(subject, 3, 60_000)).allowed).toBe(false);
    expect((await processes[0].take(subject, 5, 60_000)).allowed).toBe(true);
    expect((await processes[0].take(subject, 2, 60_000)).allowed).toBe(false);
  });
});
