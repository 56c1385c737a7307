import { AsyncLocalStorage } from 'node:async_hooks';

/** What a span says. Ids, counts, codes and words of our own; never data of people, secrets, URLs or error messages. */
export type SpanAttributes = Readonly<Record<string, string | number | undefined>>;

/** How a span begins. */
export interface SpanStart {
  readonly name: string;
  /** `server` answers a request, `client` makes one, `internal` does neither. */
  readonly kind: 'server' | 'client' | 'internal';
  readonly attributes?: SpanAttributes;
  /** Starts a trace of its own instead of continuing that of its caller. */
  readonly isRoot?: boolean;
  /** The caller's `traceparent` header, which the span continues if it is valid. */
  readonly traceparent?: string | undefined;
  /** The span is dropped when it ends within this many milliseconds, without a failure and without a span below it. */
  readonly idleMs?: number;
}

/** A piece of work with a beginning and an end. */
export interface Span {
  readonly traceId: string;
  readonly isOpen: boolean;
  set(attributes: SpanAttributes): void;
  /** @param reason the name of an error class, a status or a word of our own; never a message, which may quote data */
  fail(reason: string): void;
  end(): void;
}

/** Makes spans and exports them. */
export interface Tracer {
  start(start: SpanStart, parent: Span | null): Span;
}

/** Stands in for a span where nothing is traced. */
export const NO_SPAN: Pick<Span, 'set' | 'fail'> = { set: () => undefined, fail: () => undefined };

const active = new AsyncLocalStorage<Span>();
/** Of the process, not of a module instance: sweeps, pumps and log lines have no common parent to pass it down. */
let tracer: Tracer | null = null;

/** Traces with `next` from now on, or not at all. */
export function useTracer(next: Tracer | null): void {
  tracer = next;
}

export const isTracing = (): boolean => tracer !== null;

/**
 * Does `work` within a span that ends when it settles. Without a tracer it only calls `work`.
 *
 * @param start evaluated only when tracing
 */
export function traced<T>(start: () => SpanStart, work: (span: Pick<Span, 'set' | 'fail'>) => Promise<T>): Promise<T> {
  const span = startSpan(start);
  return span === null ? work(NO_SPAN) : within(span, () => untilSettled(span, work));
}

/** Starts a span that the caller ends; null when not tracing. */
export function startSpan(start: () => SpanStart): Span | null {
  if (tracer === null) return null;
  const wanted = start();
  return tracer.start(wanted, wanted.isRoot === true ? null : openSpan());
}

/** Calls `work`, and makes `span` the parent of the spans that it starts. */
export const within = <T>(span: Span, work: () => T): T => active.run(span, work);

/** What a log line says about the trace that it belongs to. */
export function traceFields(): { trace_id?: string } {
  const span = openSpan();
  return span === null ? {} : { trace_id: span.traceId };
}

/** A pump or timer that a request woke lives on in that request's context, so a span that has ended does not count. */
function openSpan(): Span | null {
  const span = active.getStore();
  return span?.isOpen === true ? span : null;
}

async function untilSettled<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await work(span);
  } catch (error) {
    span.fail(error instanceof Error ? error.name : 'unknown');
    throw error;
  } finally {
    span.end();
  }
}
