import { Redis } from 'ioredis';
import { RequestWindows, type WindowAnswer } from './request-windows.js';

/** Milliseconds a request waits for Redis. */
const MAX_WAIT_MS = 250;
/** Milliseconds a connection may take to open, and again to become ready. */
const MAX_CONNECT_MS = 2000;
/** Maximum milliseconds between two connection attempts. */
const MAX_RECONNECT_MS = 500;

// Keeps the last accepted requests per subject, as on PostgreSQL: with a limit of m, request n is accepted once request
// n - m has left the window. Uses Redis's time, so that all processes share one clock.
const TAKE = `
local key, limit, span = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local t = redis.call('TIME')
local at = t[1] * 1000000 + t[2]
local from = at - span * 1000
local member = redis.call('ZREMRANGEBYSCORE', key, '-inf', from)
local used = redis.call('ZCARD', key)
local allowed = 0
if used < limit then
  local n = redis.call('INCR', key .. ':n')
  redis.call('ZADD', key, at, n)
  redis.call('PEXPIRE', key, span + 1000)
  redis.call('PEXPIRE', key .. ':n', span + 1000)
  used = used + 1
  allowed = 1
end
local oldest = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
local reset = math.ceil((tonumber(oldest[2]) - from) / 1000)
return {allowed, used, math.max(1, reset)}
`;

interface TakingRedis extends Redis {
  takeRequest(key: string, limit: number, spanMs: number): Promise<[number, number, number]>;
}

/** Counts requests on Redis. Every request is answered or rejected within 250 ms. */
export class RedisRequestWindows extends RequestWindows {
  private readonly redis: TakingRedis;
  /** Resolves when the first connection is ready or has timed out: a starting process is not yet an outage. */
  private readonly started: Promise<void>;
  private connectedAt = 0;
  /** When a lost connection was last replaced, as `performance.now()` milliseconds. The windows may be lost too. */
  reconnectedAt = Number.NEGATIVE_INFINITY;
  /** The last connection error. */
  private fault = 'the connection is not ready';

  constructor(redisUrl: string) {
    super();
    this.redis = new Redis(redisUrl, {
      // Nothing is queued or resent: PostgreSQL answers the waiting requests instead.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      connectTimeout: MAX_CONNECT_MS,
      disconnectTimeout: MAX_WAIT_MS,
      retryStrategy: (tries) => Math.min(50 * tries, MAX_RECONNECT_MS),
    }) as TakingRedis;
    this.redis.defineCommand('takeRequest', { numberOfKeys: 1, lua: TAKE });
    // Without a listener, an error would end the process.
    this.redis.on('error', (error: NodeJS.ErrnoException) => {
      this.fault = error.message || (error.code ?? this.fault);
    });
    this.redis.on('connect', () => {
      this.connectedAt = performance.now();
    });
    this.redis.once('ready', () => {
      this.redis.on('ready', () => {
        this.reconnectedAt = performance.now();
      });
    });
    this.started = new Promise((resolve) => {
      this.redis.once('ready', resolve);
      setTimeout(resolve, MAX_WAIT_MS).unref();
    });
  }

  override take(subject: string, limit: number, spanMs: number): Promise<WindowAnswer> {
    return withTimeout(async () => {
      await this.started;
      if (this.redis.status !== 'ready') throw new Error(this.fault);
      const [allowed, used, resetMs] = await this.redis.takeRequest(`parley:window:{${subject}}`, limit, spanMs);
      return { allowed: allowed === 1, used, resetMs };
    });
  }

  /** Whether Redis can count requests. Replaces a connection that is silent or refuses. */
  async probe(): Promise<boolean> {
    if (this.redis.status === 'ready') {
      try {
        await this.take('probe', 1, 1);
        return true;
      } catch {
        this.redis.disconnect(true);
      }
    } else if (this.redis.status === 'connect' && performance.now() - this.connectedAt > MAX_CONNECT_MS) {
      this.redis.disconnect(true);
    }
    return false;
  }

  close(): void {
    this.redis.disconnect();
  }
}

/** Rejects when `work` takes longer than {@link MAX_WAIT_MS}. */
function withTimeout<T>(work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(`no answer within ${MAX_WAIT_MS} ms`));
    // setImmediate lets an answer that arrived while the event loop was busy win.
    const timer = setTimeout(() => setImmediate(giveUp), MAX_WAIT_MS);
    void work()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
