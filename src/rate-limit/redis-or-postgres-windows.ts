import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { RedisOutages } from './redis-outages.js';
import type { RedisRequestWindows } from './redis-request-windows.js';
import { RequestWindows, type WindowAnswer } from './request-windows.js';

/** How often Redis is tried while it is away, milliseconds. */
const PROBE_EVERY_MS = 500;

/**
 * The windows on Redis, and on PostgreSQL while Redis is away. The first request that Redis fails opens a circuit: until
 * a probe succeeds nobody else waits for it. The two count apart, so a span that holds a change from one to the other may
 * see up to twice the limit.
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

  /** The others that were waiting fail at the same time: it is one outage, and logged once. */
  private open(error: unknown): void {
    if (this.outages.present) return;
    this.outages.present = true;
    this.outages.total += 1;
    this.logger.warn(
      `Redis is away (${(error as Error).message}): requests are counted on PostgreSQL until it is back`,
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
    this.logger.log('Redis is back: requests are counted there again');
  }
}
