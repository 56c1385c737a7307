import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { RedisOutages } from './redis-outages.js';
import type { RedisRequestWindows } from './redis-request-windows.js';
import { RequestWindows, type WindowAnswer } from './request-windows.js';

/** Milliseconds between two probes while Redis is unavailable. */
const PROBE_EVERY_MS = 500;

/**
 * Counts requests on Redis, and on PostgreSQL while Redis is unavailable. The first failed request opens a circuit: no
 * other request waits for Redis until a probe succeeds. The two count separately, so a window that spans a switch may
 * allow up to twice the limit.
 */
export class RedisOrPostgresWindows extends RequestWindows implements OnApplicationShutdown {
  private readonly logger = new Logger(RedisOrPostgresWindows.name);
  private probing: NodeJS.Timeout | null = null;
  private closed = false;

  constructor(
    private readonly redis: RedisRequestWindows,
    private readonly postgres: RequestWindows,
    private readonly outages: RedisOutages,
  ) {
    super();
  }

  override async take(subject: string, limit: number, spanMs: number): Promise<WindowAnswer> {
    if (!this.outages.present) {
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
    this.outages.present = false;
    this.logger.log('Redis is back: counting requests there again');
  }
}
