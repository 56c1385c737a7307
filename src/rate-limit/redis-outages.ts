import type { Metrics } from '../runtime/metrics.js';

/** How often this process had to count requests without Redis. */
export class RedisOutages {
  /** Whether there is one at the moment. */
  present = false;
  /** Outages, the present one included. */
  total = 0;
  /** Requests that were counted on PostgreSQL meanwhile. */
  requests = 0;

  /** Shows them among the metrics of the process. */
  show(metrics: Metrics): void {
    const one = (value: number) => [{ value }];
    metrics.gauge({ name: 'parley_redis_away', help: 'Whether requests are counted without Redis at the moment' }, () =>
      one(Number(this.present)),
    );
    metrics.total({ name: 'parley_redis_outages_total', help: 'How often Redis went away' }, () => one(this.total));
    metrics.total(
      { name: 'parley_rate_limit_fallbacks_total', help: 'Requests that were counted on PostgreSQL for want of Redis' },
      () => one(this.requests),
    );
  }
}
