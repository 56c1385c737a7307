import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { RedisOutages } from './redis-outages.js';
import type { RedisRequestWindows } from './redis-request-windows.js';
import { RequestWindows, type WindowAnswer } from './request-windows.js';

/** Milliseconds between two probes while Redis is unavailable. */
const PROBE_EVERY_MS = 500;

/**
 * Counts requests on Redis, and on PostgreSQL while Redis is unavailable. The first failed request opens a circuit: no
 * other request waits for Redis until a probe succeeds.
 *
 * PostgreSQL knows nothing of the requests that Redis counted before, so a window in which Redis fails may allow up to
 * twice the limit. It never allows more: Redis may come back empty, so PostgreSQL goes on deciding for the length of a
 * window, while Redis counts along.
 */
export class RedisOrPostgresWindows extends RequestWindows implements OnApplicationShutdown {
  private readonly logger = new Logger(RedisOrPostgresWindows.name);
  private probing: NodeJS.Timeout | null = null;
  private closed = false;
  /** When a probe last found Redis back, as `performance.now()` milliseconds. */
  private backAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly redis: RedisRequestWindows,
    private readonly postgres: RequestWindows,
    private readonly outages: RedisOutages,
  ) {
    super();
  }

  override async take(subject: string, limit: number, spanMs: number): Promise<WindowAnswer> {
    if (!this.outages.present) {
      if (this.isBackForLessThan(spanMs)) return this.takeFromBoth(subject, limit, spanMs);
      try {
        return await this.redis.take(subject, limit, spanMs);
      } catch (error) {
        this.open(error);
      }
    }
    this.outages.requests += 1;
    return this.postgres.take(subject, limit, spanMs);
  }

  onApplicationShutdown(): void {
    this.closed = true;
    if (this.probing !== null) clearTimeout(this.probing);
    this.redis.close();
  }

  /** Whether Redis came back within the last `spanMs`. It may also have been lost and found between two requests. */
  private isBackForLessThan(spanMs: number): boolean {
    return performance.now() - Math.max(this.backAt, this.redis.reconnectedAt) < spanMs;
  }

  /** PostgreSQL decides, and Redis counts what it accepts. */
  private async takeFromBoth(subject: string, limit: number, spanMs: number): Promise<WindowAnswer> {
    const answer = await this.postgres.take(subject, limit, spanMs);
    if (answer.allowed) await this.redis.take(subject, limit, spanMs).catch((error) => this.open(error));
    return answer;
  }

  /** Requests that were waiting fail at the same time. They are one outage, logged once. */
  private open(error: unknown): void {
    if (this.outages.present) return;
    this.outages.present = true;
    this.outages.total += 1;
    this.logger.warn(
      `Redis is unavailable (${(error as Error).message}): counting requests on PostgreSQL until it is back`,
    );
    this.probeSoon();
  }

  private probeSoon(): void {
    if (this.closed) return;
    this.probing = setTimeout(() => void this.probe(), PROBE_EVERY_MS);
    this.probing.unref();
  }

  private async probe(): Promise<void> {
    if (!(await this.redis.probe())) return this.probeSoon();
    this.backAt = performance.now();
    this.outages.present = false;
    this.logger.log('Redis is back: counting requests there again');
  }
}
