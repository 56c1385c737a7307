import { type Context, ROOT_CONTEXT, type Span as SdkSpan, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Span, SpanAttributes } from './spans.js';

/** A span of the SDK, which also knows whether it was idle. */
export class OtlpSpan implements Span {
  isOpen = true;
  private isIdle: boolean;
  private readonly startedAt = performance.now();

  constructor(
    private readonly span: SdkSpan,
    private readonly idleMs: number,
  ) {
    this.isIdle = idleMs > 0;
  }

  get traceId(): string {
    return this.span.spanContext().traceId;
  }

  /** The context of a span below this one. */
  contextBelow(): Context {
    this.isIdle = false;
    return trace.setSpan(ROOT_CONTEXT, this.span);
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes(attributes);
  }

  fail(reason: string): void {
    this.isIdle = false;
    this.span.setAttribute('error.type', reason).setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    // A span that is never ended is never exported.
    if (!this.isIdle || performance.now() - this.startedAt >= this.idleMs) this.span.end();
  }
}
