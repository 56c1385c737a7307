import { type Answer, Receiver } from '../webhooks/receiver.js';

/** A span as OTLP/HTTP carries it in JSON, attributes as a record. */
export interface ExportedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
}

interface OtlpSpan extends Omit<ExportedSpan, 'attributes' | 'failed'> {
  readonly attributes: readonly { key: string; value: Readonly<Record<string, unknown>> }[];
  readonly status?: { readonly code?: number };
}

interface OtlpTraces {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[] }[];
}

const ERROR = 2;

/** A server that takes traces over OTLP/HTTP, on loopback. */
export class TraceReceiver {
  private constructor(readonly http: Receiver) {}

  static async listen(answer: Answer = { status: 200, body: '{}' }): Promise<TraceReceiver> {
    return new TraceReceiver(await Receiver.listen(() => answer));
  }

  /** The variables that make Parley export to it, in JSON. */
  get env(): Record<string, string> {
    return { OTEL_EXPORTER_OTLP_ENDPOINT: this.http.url(), OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };
  }

  /** Everything received, headers included. */
  get everything(): string {
    return this.http.received.map(({ path, headers, body }) => `${path} ${JSON.stringify(headers)} ${body}`).join('\n');
  }

  get spans(): ExportedSpan[] {
    return this.http.received
      .map(({ body }) => JSON.parse(body.toString()) as OtlpTraces)
      .flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans))
      .flatMap(({ spans }) => spans)
      .map(({ attributes, status, ...span }) => ({
        ...span,
        attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
        failed: status?.code === ERROR,
      }));
  }

  close(): Promise<void> {
    return this.http.close();
  }
}
