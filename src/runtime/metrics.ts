import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** A metric's name (`parley_…`, with its unit) and meaning. */
export interface MetricDescription {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** One value of a gauge or total. */
export interface Reading {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Takes the values of a histogram. */
export interface Observer {
  observe(value: number): void;
}

export type Readings = readonly Reading[];

/**
 * The metrics of one process. Each module declares its own once, at startup. Gauges are read only when scraped, so they
 * cost nothing in between.
 */
export class Metrics {
  private readonly registry = new Registry();
  private readonly failedReads = this.counter({
    name: 'parley_metric_read_failures_total',
    help: 'Gauges that could not be read',
    labels: ['metric'],
  });

  /** Declares a counter that the caller increments. */
  counter({ name, help, labels = [] }: MetricDescription): Counter {
    return new Counter({ name, help, labelNames: [...labels], registers: [this.registry] });
  }

  /**
   * Declares a counter whose total is kept elsewhere.
   *
   * @param read the current totals, which never decrease; a failed read is counted and left out
   */
  total({ name, help, labels = [] }: MetricDescription, read: () => Readings): void {
    const collect = (): Promise<void> => this.collect(total, name, read, (of, value) => total.inc(of, value));
    const total: Counter = new Counter({ name, help, labelNames: [...labels], registers: [this.registry], collect });
  }

  /**
   * Declares a gauge.
   *
   * @param read its current values, or a promise of them that settles soon, because the scrape waits for it; a failed
   * read is counted and left out
   */
  gauge({ name, help, labels = [] }: MetricDescription, read: () => Readings | Promise<Readings>): void {
    const collect = (): Promise<void> => this.collect(gauge, name, read, (of, value) => gauge.set(of, value));
    const gauge: Gauge = new Gauge({ name, help, labelNames: [...labels], registers: [this.registry], collect });
  }

  private async collect(
    metric: Counter | Gauge,
    name: string,
    read: () => Readings | Promise<Readings>,
    put: (labels: Readonly<Record<string, string>>, value: number) => void,
  ): Promise<void> {
    try {
      const readings = await read();
      metric.reset();
      for (const { labels = {}, value } of readings) put(labels, value);
    } catch {
      metric.reset();
      // Without labels, the gauge would report 0.
      metric.remove({});
      this.failedReads.inc({ metric: name });
    }
  }

  /** Declares a histogram, such as seconds spent waiting. */
  histogram({ name, help, labels = [] }: MetricDescription, buckets: readonly number[]): Histogram {
    return new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers: [this.registry] });
  }

  /** Adds Node's own metrics: CPU time, memory, garbage collection and event loop lag. */
  observeProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** The media type of {@link text}. */
  get contentType(): string {
    return this.registry.contentType;
  }

  /** All metrics in the Prometheus text format. */
  text(): Promise<string> {
    return this.registry.metrics();
  }
}
