import { type Context, ROOT_CONTEXT, type Tracer as SdkTracer, SpanKind, trace } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingSettings } from '../config/tracing-settings.js';
import { OtlpSpan } from './otlp-span.js';
import { OutageReporter } from './outage-reporter.js';
import type { Span, SpanStart, Tracer } from './spans.js';

/** Ended spans that wait to be sent; more are dropped. They take about 2 kB each. */
const MAX_QUEUED_SPANS = 2048;
/** Milliseconds until a span is sent with those that ended meanwhile. */
const SEND_EVERY_MS = 1000;
/** Milliseconds after which an export is given up and the next one begins. */
const MAX_EXPORT_MS = 15_000;
/** Characters of an attribute. Ours are shorter. */
const MAX_ATTRIBUTE_CHARACTERS = 256;

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/** Sends spans to an OTLP/HTTP receiver, in the background and in batches. A receiver that is away costs only spans. */
export class OtlpTracer implements Tracer {
  private readonly provider: TracerProvider;
  private readonly tracer: SdkTracer;

  constructor(settings: TracingSettings, report: (line: string) => void) {
    const { url, headers, protocol, serviceName, resourceAttributes } = settings;
    const Exporter = protocol === 'http/json' ? JsonExporter : ProtobufExporter;
    const exporter = new OutageReporter(new Exporter({ url, headers: { ...headers } }), report);
    this.provider = new TracerProvider({
      resource: defaultResource().merge(resourceFromAttributes({ ...resourceAttributes, 'service.name': serviceName })),
      sampler: samplerOf(settings),
      spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_CHARACTERS },
      spanProcessors: [
        new BatchSpanProcessor({
          exporter,
          maxQueueSize: MAX_QUEUED_SPANS,
          scheduledDelayMillis: SEND_EVERY_MS,
          exportTimeoutMillis: MAX_EXPORT_MS,
        }),
      ],
    });
    this.tracer = this.provider.getTracer('parley');
  }

  start({ name, kind, attributes, traceparent, idleMs }: SpanStart, parent: Span | null): Span {
    const under = parent instanceof OtlpSpan ? parent.contextBelow() : callersContext(traceparent);
    const span = this.tracer.startSpan(name, { kind: KINDS[kind], ...(attributes && { attributes }) }, under);
    return new OtlpSpan(span, idleMs ?? 0);
  }

  /** Sends the spans that are left. Rejects if they cannot be sent. */
  close(): Promise<void> {
    return this.provider.shutdown();
  }
}

/** Its `tracestate` is not read: it would be exported, and a caller can write anything there. */
function callersContext(traceparent: string | undefined): Context {
  const caller = traceparent === undefined ? null : parseTraceParent(traceparent);
  return caller === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true });
}

function samplerOf({ sampler, samplerRatio }: TracingSettings): Sampler {
  const root = rootSampler(sampler.replace('parentbased_', ''), samplerRatio);
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}
