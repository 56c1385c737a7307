import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What a metric is called (`parley_…`, with its unit), and what it means. */
export interface MetricDescription {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** One value of a gauge. */
export interface Reading {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/**
 * The metrics of one process. A room declares its own once, when its module is built; gauges are read when somebody asks, so
 * that they cost nothing otherwise.
 */
export class Metrics {
  private readonly registry = new Registry();
  private readonly failedReads = this.counter({
    name: 'parley_metric_read_failures_total',
    help: 'Gauges that could not be read',
    labels: ['metric'],
  });

  /** Something that is counted as it happens. */
  counter({ name, help, labels = [] }: MetricDescription): Counter {
    return new Counter({ name, help, labelNames: [...labels], registers: [this.registry] });
  }

  /**
   * Something that is counted elsewhere.
   *
   * @param read the present totals, which never fall; a read that fails is counted, and left out
   */
  total({ name, help, labels = [] }: MetricDescription, read: () => readonly Reading[]): void {
    const collect = (): void => this.collect(total, name, read, (of, value) => total.inc(of, value));
    const total: Counter = new Counter({ name, help, labelNames: [...labels], registers: [this.registry], collect });
  }

  /**
   * Something that has a value at any time.
   *
   * @param read its present values; a read that fails is counted, and left out
   */
  gauge({ name, help, labels = [] }: MetricDescription, read: () => readonly Reading[]): void {
    const collect = (): void => this.collect(gauge, name, read, (of, value) => gauge.set(of, value));
    const gauge: Gauge = new Gauge({ name, help, labelNames: [...labels], registers: [this.registry], collect });
  }

  private collect(
    metric: Counter | Gauge,
    name: string,
    read: () => readonly Reading[],
    put: (labels: Readonly<Record<string, string>>, value: number) => void,
  ): void {
    metric.reset();
    try {
      for (const { labels = {}, value } of read()) put(labels, value);
    } catch {
      // Without labels, it would be left at 0.
      metric.remove({});
      this.failedReads.inc({ metric: name });
    }
  }

  /** Something whose spread counts, such as seconds of waiting. */
  histogram({ name, help, labels = [] }: MetricDescription, buckets: readonly number[]): Histogram {
    return new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers: [this.registry] });
  }

  /** Adds Node's own: processor time, memory, garbage collection and the lag of the event loop. */
  observeProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** The media type of {@link text}. */
  get contentType(): string {
    return this.registry.contentType;
  }

  /** All of them, in Prometheus' text format. */
  text(): Promise<string> {
    return this.registry.metrics();
  }
}
