import type { Metrics } from '../runtime/metrics.js';

/** Counts the Redis outages of this process. */
export class RedisOutages {
  /** Whether Redis is unavailable now. */
  present = false;
  /** Number of outages, the current one included. */
  total = 0;
  /** Number of requests counted on PostgreSQL instead. */
  requests = 0;

  /** Adds them to the metrics of the process. */
  show(metrics: Metrics): void {
    const one = (value: number) => [{ value }];
    metrics.gauge({ name: 'parley_redis_away', help: 'Whether requests are currently counted without Redis' }, () =>
      one(Number(this.present)),
    );
    metrics.total({ name: 'parley_redis_outages_total', help: 'Redis outages' }, () => one(this.total));
    metrics.total(
      {
        name: 'parley_rate_limit_fallbacks_total',
        help: 'Requests counted on PostgreSQL because Redis was unavailable',
      },
      () => one(this.requests),
    );
  }
}
