import { Redis } from 'ioredis';
import { crowd } from '../support/crowd.js';
import { redisFound, TestRedis } from '../support/redis.js';
import { until } from '../support/until.js';
import { DeliveryScene } from './delivery-scene.js';
import { pause } from './pause.js';
import { IS_QUICK } from './verdict.js';

jest.setTimeout(900_000);

const ROUNDS = IS_QUICK ? 2 : 8;
/** Deliveries between two faults. */
const BETWEEN = 50;

describe('every event arrives at least once with the same id and bytes, or its exhausted retries are in the log', () => {
  let scene: DeliveryScene;
  afterEach(() => scene?.stop());

  it('although the delivering process is repeatedly killed during attempts', async () => {
    // Longer than a kill takes on a busy machine.
    scene = await DeliveryScene.start({ timeout: 15 });
    for (let round = 0; round < ROUNDS; round += 1) {
      await scene.untilMore(BETWEEN);
      await scene.replaceWorkerInMidAttempt();
    }
    await scene.untilMore(BETWEEN);
    expect(await scene.findings()).toEqual([]);
    // Attempts that were in flight at a kill are not in the log, and their events arrived again.
    const logged = (await scene.deliveries()).flatMap(({ attempts }) => attempts);
    expect(scene.receiver.received.length).toBeGreaterThan(logged.length);
  });

  it('although PostgreSQL falls silent on every connection', async () => {
    scene = await DeliveryScene.start();
    for (let round = 0; round < ROUNDS; round += 1) {
      await scene.untilMore(BETWEEN);
      scene.stack.proxy.silence({ newConnections: 'work' });
    }
    await scene.untilMore(BETWEEN);
    expect(await scene.findings()).toEqual([]);
  });

  (redisFound ? it : it.skip)('although Redis is flushed and restarts empty', async () => {
    const redis = await TestRedis.start();
    const client = new Redis(redis.url, { maxRetriesPerRequest: null });
    client.on('error', () => undefined);
    try {
      scene = await DeliveryScene.start({ env: { REDIS_URL: redis.url } });
      const { account, id } = scene.endpoint;
      for (let round = 0; round < ROUNDS; round += 1) {
        await scene.untilMore(BETWEEN);
        // A test event reaches the delivering process only as a job.
        const tests = crowd(10, () => account.api.post(`/api/v1/webhooks/${id}/test`, {}));
        await client.flushall();
        for (const { status } of await tests) expect(status).toBe(202);
        await client.flushall();
        await redis.halt();
        await redis.restart();
      }
      await scene.untilMore(BETWEEN);
      expect(await scene.findings()).toEqual([]);
      const tests = scene.receiver.received.filter(({ body }) => body.includes('webhook.test'));
      expect(tests.length).toBeGreaterThanOrEqual(10 * ROUNDS);
    } finally {
      client.disconnect();
      await redis.stop();
    }
  });

  describe('when the receiver is down for an hour', () => {
    /** Speed-up of time: an hour takes half a minute, or a quarter. */
    const SPEED = IS_QUICK ? 240 : 120;
    const HOUR_MS = 3_600_000 / SPEED;
    const TICK_MS = 500;
    /** A slow machine makes fewer attempts in the same time. */
    const PATIENCE_MS = 240_000;

    /** Waits while making pending deliveries due earlier. */
    const fastForward = async (ms: number): Promise<void> => {
      for (let left = ms; left > 0; left -= TICK_MS) {
        await pause(TICK_MS);
        await scene.stack.query(
          `UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at - $2 * interval '1 millisecond'
           WHERE account_id = $1 AND status = 'pending'`,
          [scene.endpoint.account.accountId, TICK_MS * (SPEED - 1)],
        );
      }
    };

    it('and the delivering process is killed in the meantime; a replay then delivers what failed', async () => {
      const since = new Date().toISOString();
      scene = await DeliveryScene.start({ retries: 10, rates: { sends: 1, reports: 1, inbound: 1 } });
      const { account, id } = scene.endpoint;
      await scene.untilMore(5);
      scene.path.refuse();
      scene.path.cut('reset');
      await fastForward(HOUR_MS / 2);
      await scene.replaceWorker();
      await fastForward(HOUR_MS / 2);
      const isAnyExhausted = async () => {
        await fastForward(TICK_MS);
        return (await scene.deliveries()).some(({ status }) => status === 'failed');
      };
      await until('the retries of some deliveries are exhausted', isAnyExhausted, PATIENCE_MS);
      await scene.path.heal();
      await scene.traffic.stop();
      // Some retries are up to eight and a half minutes away by now.
      const isNonePending = async () => {
        await fastForward(TICK_MS);
        return (await scene.deliveries()).every(({ status }) => status !== 'pending');
      };
      await until('the last retries are made', isNonePending, PATIENCE_MS);
      expect(await scene.findings()).toEqual([]);

      const arrived = () => new Set(scene.receiver.received.map(({ headers }) => headers['webhook-id']));
      const deliveries = await scene.deliveries();
      const late = deliveries.filter(({ status, attempts }) => status === 'delivered' && attempts.length > 2);
      expect(late.length).toBeGreaterThan(0);
      const lost = deliveries.map(({ webhook_id }) => webhook_id).filter((eventId) => !arrived().has(eventId));
      expect(lost.length).toBeGreaterThan(0);
      expect((await account.api.post(`/api/v1/webhooks/${id}/replay`, { since })).status).toBe(202);
      await until('all lost events have arrived', () => lost.every((eventId) => arrived().has(eventId)));
      expect(await scene.findings()).toEqual([]);
    });
  });
});
