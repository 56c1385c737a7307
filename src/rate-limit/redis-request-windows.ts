import type { OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RequestWindows, type WindowAnswer } from './request-windows.js';

// A ring of the last accepted requests per subject, as on PostgreSQL: request n of a limit of m is accepted when
// request n - m has left the span. Time is Redis's own, so that all processes share one clock.
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

/** The windows on Redis, used when `REDIS_URL` is set. */
export class RedisRequestWindows extends RequestWindows implements OnApplicationShutdown {
  private readonly redis: Redis;

  constructor(redisUrl: string) {
    super();
    this.redis = new Redis(redisUrl, { maxRetriesPerRequest: 2 });
    this.redis.defineCommand('takeRequest', { numberOfKeys: 1, lua: TAKE });
    // Errors reach the callers of take; without a listener they would end the process.
    this.redis.on('error', () => undefined);
  }

  async take(subject: string, limit: number, spanMs: number): Promise<WindowAnswer> {
    const redis = this.redis as Redis & {
      takeRequest(key: string, limit: number, spanMs: number): Promise<[number, number, number]>;
    };
    const [allowed, used, resetMs] = await redis.takeRequest(`parley:window:{${subject}}`, limit, spanMs);
    return { allowed: allowed === 1, used, resetMs };
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}
