import { Redis } from 'ioredis';
import { TestRedis } from '../support/redis.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { type FaultService, FaultStack } from './fault-stack.js';
import { LimitedKey } from './limited-key.js';
import { wrongClock } from './process-clock.js';

const WRONG_BY_MS = 120_000;
const COMMAND_TIMEOUT_MS = 60_000;
/** Above this limit, PostgreSQL keeps no time of its own for each request, but so many slots of the span. */
const MAX_SINGLE_TIMES = 128;

/** A Redis of the test, with a path to it that can be broken. */
export interface LimitStore {
  readonly redis: TestRedis;
  readonly path: TcpProxy;
}

// Every request of the window becomes older by ARGV[1] microseconds.
const AGE = `
local requests = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
for i = 1, #requests, 2 do redis.call('ZADD', KEYS[1], requests[i + 1] - ARGV[1], requests[i]) end
`;

/** Two API processes on one database whose clocks are two minutes off, one ahead and one behind. */
export class LimitedProcesses {
  private constructor(
    readonly stack: FaultStack,
    readonly processes: readonly [FaultService, FaultService],
    /** Where requests are counted; null on PostgreSQL. */
    readonly store: LimitStore | null,
  ) {}

  static async start(backend: 'PostgreSQL' | 'Redis'): Promise<LimitedProcesses> {
    const redis = backend === 'Redis' ? await TestRedis.start() : null;
    const store = redis === null ? null : { redis, path: await TcpProxy.start(redis.url) };
    const stack = await FaultStack.start(store === null ? {} : { REDIS_URL: store.path.through(store.redis.url) });
    const start = (wrongBy: number) =>
      stack.service(wrongClock({ PARLEY_ROLES: 'api', WRONG_CLOCK_MS: String(wrongBy) }));
    return new LimitedProcesses(stack, await Promise.all([start(WRONG_BY_MS), start(-WRONG_BY_MS)]), store);
  }

  async stop(): Promise<void> {
    await this.stack.stop();
    await this.store?.path.stop();
    await this.store?.redis.stop();
  }

  /** A new tenant's key, which makes its requests to both processes. */
  async key(limit: number): Promise<LimitedKey> {
    const coarseMs = this.store === null && limit > MAX_SINGLE_TIMES ? Math.ceil(60_000 / MAX_SINGLE_TIMES) : 0;
    const account = await this.stack.bareAccount(this.processes[0], { rateLimit: limit });
    return new LimitedKey(this.processes, account, limit, coarseMs);
  }

  /** Makes the windows of a key older, in both stores, so that no test waits for a minute. */
  async pass(key: LimitedKey, ms: number): Promise<void> {
    const subject = `key:${key.account.keyId}`;
    if (this.store !== null) {
      const client = new Redis(this.store.redis.url, { commandTimeout: COMMAND_TIMEOUT_MS });
      client.on('error', () => undefined);
      try {
        await client.eval(AGE, 1, `parley:window:{${subject}}`, ms * 1000);
      } finally {
        client.disconnect();
      }
    }
    await this.stack.query(
      'UPDATE rate_limit_windows SET times = ARRAY(SELECT t - $2::bigint FROM unnest(times) t) WHERE subject = $1',
      [subject, ms],
    );
    key.passed(ms);
  }
}
