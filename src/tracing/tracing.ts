import type { TracingSettings } from '../config/tracing-settings.js';
import { endsWithin } from '../values/ends-within.js';
import { useTracer } from './spans.js';

/** The tracing of one process. */
export interface Tracing {
  /** Sends the spans that are left, for at most `timeoutMs`, and stops. Never rejects. */
  close(timeoutMs: number): Promise<void>;
}

const OFF: Tracing = { close: async () => undefined };

/**
 * Starts tracing if there are settings for it.
 *
 * Spans are made by hand at the seams: requests, calls to the network, deliveries, groups of a campaign, sweeps and
 * callbacks. OpenTelemetry's automatic instrumentation patches libraries while they load, which it cannot do to bundled
 * ES modules; it would also record every SQL statement of the pumps and every URL of a customer.
 *
 * @param report takes a line when spans can no longer be sent, and another when they can again
 */
export async function openTracing(settings: TracingSettings | null, report: (line: string) => void): Promise<Tracing> {
  if (settings === null) return OFF;
  // Nearly nobody traces, and the SDK is a dozen packages: it is loaded here alone, and it is not bundled.
  const { OtlpTracer } = await import('./otlp-tracer.js');
  const tracer = new OtlpTracer(settings, report);
  useTracer(tracer);
  return {
    close: async (timeoutMs) => {
      useTracer(null);
      await endsWithin(tracer.close(), timeoutMs).catch(() => false);
    },
  };
}
