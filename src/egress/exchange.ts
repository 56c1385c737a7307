import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Carried, CarryingConnection } from './answered-connection.js';
import type { ConnectionStage } from './connection-race.js';
import { EgressError, type EgressFailure, egressFailureOf, NO_ANSWER, NOT_FINISHED, tooLate } from './egress-error.js';

/** Bytes of an unwanted body that we read to keep the connection alive; beyond that, closing it is cheaper. */
const DRAINED_BYTES = 64 * 1024;
/**
 * The bytes of an answer that are not its body: interim answers, headers, and the framing of the body, which is larger
 * than a body in tiny chunks; and what has arrived but was not parsed yet. Beyond that, an answer gets nowhere.
 */
const OVERHEAD_BYTES = 256 * 1024;
const FRAMING_PER_BYTE = 8;

/** Status and headers of a response. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** What was odd about the response so far; empty if it is valid HTTP. */
  readonly oddities: readonly string[];
}

/** Flow control for a sink. */
export interface ResponseFlow {
  pause(): void;
  resume(): void;
  /** Ignores the rest of the response. The sink's last call follows when the connection is free of it. */
  discard(): void;
}

/** Receives one response. `onFailure` or `onEnd` is the last call. */
export interface ResponseSink {
  /** Whether a response counts only if its head is complete and its body can be read. */
  readonly needsBody: boolean;
  onHead(head: ResponseHead, flow: ResponseFlow): void;
  onChunk(chunk: Buffer): void;
  /** @param oddities what was odd about the whole response */
  onEnd(oddities: readonly string[]): void;
  onFailure(error: unknown, oddities: readonly string[]): void;
}

/** What is odd about a body that does not end as it should, by how it fails. */
const BODY_ODDITIES: Readonly<Partial<Record<EgressFailure, string>>> = {
  timeout: 'a body that did not end in time',
  reset: 'a body that broke off',
  bad_answer: 'a body that could not be read',
};

/** A failure after the status and headers have arrived. */
function ofBody(error: unknown): unknown {
  const words = error instanceof EgressError ? BODY_FAILURES[error.kind] : undefined;
  return error instanceof EgressError && words !== undefined ? new EgressError(error.kind, words, error.cause) : error;
}

const BODY_FAILURES: Readonly<Partial<Record<EgressFailure, string>>> = {
  reset: 'closed the connection before the end of its response',
  bad_answer: 'sent a response whose body could not be read',
};

/** What carries a request from the moment that it is its turn. */
export interface Carrier {
  /** What the connection waits for that is being opened for the request; null when one is open. */
  readonly stage: ConnectionStage | null;
  /** The request is about to be written. @returns the connection that it is written to */
  carry(request: Carried): CarryingConnection;
  /** The request is over. What is being opened for it is not needed. */
  abandon(error: unknown): void;
}

/** What an exchange is out of time for; of an answer when it has a connection. */
const LATE: Readonly<Record<ConnectionStage, string>> = {
  name: 'has a host name that could not be resolved',
  connection: 'did not accept a connection',
  handshake: 'did not finish the TLS handshake',
};

/** The circumstances of an {@link Exchange}. */
export interface ExchangeOptions {
  /** When it ends at the latest, by `performance.now()`. */
  readonly deadline: number;
  /** The caller's total timeout in milliseconds, for the error message. */
  readonly totalTimeoutMs: number;
  /** Whether the response may have a body. */
  readonly mayHaveBody: boolean;
  /** Cancels the exchange when aborted. */
  readonly signal?: AbortSignal;
  /** Tries again on a fresh connection; null when this one is fresh already. */
  readonly retryAfresh: (() => void) | null;
}

/**
 * One request and its response under a single deadline, from the wait for a connection to the last byte, so that a slow
 * or silent server cannot stretch any step of it. A server may close an idle connection just when we write to it: a
 * request on a reused connection that is reset before a byte of the answer is tried again on a fresh one.
 */
export class Exchange implements Dispatcher.DispatchHandler, ResponseFlow, Carried {
  private controller: Dispatcher.DispatchController | null = null;
  private carrier: Carrier | null = null;
  private connection: CarryingConnection | null = null;
  private timer: NodeJS.Timeout;
  private over = false;
  private discarding = false;
  private drained = 0;
  private ofBody = 0;
  private hasHead = false;
  /** Whether its body is still expected. */
  private mayBreakOff = false;

  constructor(
    private readonly sink: ResponseSink,
    private readonly options: ExchangeOptions,
  ) {
    const { signal } = options;
    this.timer = this.armed();
    signal?.addEventListener('abort', this.cancel);
    if (signal?.aborted === true) this.cancel();
  }

  get mayHaveBody(): boolean {
    return this.options.mayHaveBody;
  }

  get isOver(): boolean {
    return this.over;
  }

  /** It is the turn of this request. */
  onTurn(carrier: Carrier): void {
    this.carrier = carrier;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.over) controller.abort(new Error('timed out waiting for a connection'));
    else this.connection = this.carrier?.carry(this) ?? null;
  }

  onReceived(bytes: number): void {
    if (bytes <= OVERHEAD_BYTES + FRAMING_PER_BYTE * this.ofBody) return;
    this.stop(new EgressError('bad_answer', NO_ANSWER));
  }

  onFault(error: EgressError): void {
    this.stop(error);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (this.over || this.isTriedAfresh(status, headers, controller)) return;
    const answer = this.connection?.answer();
    if (this.sink.needsBody && answer?.isBodyLost === true && status < 300) {
      this.stop(new EgressError('bad_answer', 'did not say where its response ends'));
      return;
    }
    this.hasHead = true;
    this.mayBreakOff = status >= 200;
    this.sink.onHead({ status, headers, oddities: answer?.oddities ?? [] }, this);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.over) return;
    this.ofBody += chunk.length;
    if (!this.discarding) {
      this.sink.onChunk(chunk);
      return;
    }
    this.drained += chunk.length;
    if (this.drained > DRAINED_BYTES) {
      this.finish();
      controller.abort(new Error('the rest of the response is not needed'));
      this.sink.onEnd(this.oddities());
    }
  }

  onResponseEnd(): void {
    const fault = this.connection?.fault ?? null;
    // undici takes a reset for the end of a body that has no other one.
    if (fault !== null) this.onResponseError(null, fault);
    else if (this.finish()) this.sink.onEnd(this.oddities());
    this.connection?.release();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: unknown): void {
    if (!this.finish()) return;
    if (this.controller === null) this.carrier?.abandon(error);
    const failure = this.failureOf(error);
    const { retryAfresh } = this.options;
    const isStale = this.connection?.isStale === true && failure instanceof EgressError && failure.kind === 'reset';
    if (isStale && retryAfresh !== null) retryAfresh();
    else this.fail(failure);
  }

  /**
   * A server may say that it waited too long for another request, just when it gets one: that is no answer to it, and it
   * may be sent again (RFC 9110, section 15.5.9).
   */
  private isTriedAfresh(
    status: number,
    { connection }: IncomingHttpHeaders,
    controller: Dispatcher.DispatchController,
  ): boolean {
    const { retryAfresh } = this.options;
    const isOfIdleConnection =
      status === 408 && this.connection?.isReused === true && connection?.toLowerCase() === 'close';
    if (!isOfIdleConnection || retryAfresh === null || !this.finish()) return false;
    controller.abort(new Error('it was about an idle connection'));
    retryAfresh();
    return true;
  }

  /** The cause, where undici only tells that the connection has ended. */
  private failureOf(error: unknown): unknown {
    const failure = egressFailureOf(error);
    const { fault = null } = this.connection ?? {};
    if (!(failure instanceof EgressError) || failure.kind !== 'reset' || fault === null) return failure;
    const cause = egressFailureOf(fault);
    return cause instanceof EgressError && cause.kind === 'tls' ? cause : failure;
  }

  pause(): void {
    if (!this.over) this.connection?.pause();
  }

  resume(): void {
    if (!this.over) this.connection?.resume();
  }

  discard(): void {
    this.discarding = true;
    this.resume();
  }

  private armed(): NodeJS.Timeout {
    return setTimeout(() => this.expire(), Math.max(0, Math.ceil(this.options.deadline - performance.now())));
  }

  /** A timer may fire up to a millisecond early, and nobody's answer is cut off before its time. */
  private expire(): void {
    if (performance.now() < this.options.deadline) {
      this.timer = this.armed();
      return;
    }
    this.stop(tooLate(this.options.totalTimeoutMs, this.stage()));
  }

  /** What has not happened yet. */
  private stage(): string | undefined {
    if (this.carrier === null) return 'could not be asked beside other requests to the same host';
    if (this.hasHead) return NOT_FINISHED;
    return this.carrier.stage === null ? undefined : LATE[this.carrier.stage];
  }

  private readonly cancel = (): void => {
    this.stop(new EgressError('cancelled', 'was not needed any more'));
  };

  private stop(error: EgressError): void {
    if (!this.finish()) return;
    this.fail(error);
    if (this.controller !== null) this.controller.abort(error);
    else this.carrier?.abandon(error);
  }

  /** An answer whose first line has arrived counts, whatever becomes of the rest; but not for a caller that is gone. */
  private fail(error: unknown): void {
    const kind = error instanceof EgressError ? error.kind : null;
    const answer = this.connection?.answer() ?? null;
    const oddities = [...(answer?.oddities ?? [])];
    const bodyOddity = this.mayBreakOff && kind !== null ? BODY_ODDITIES[kind] : undefined;
    if (bodyOddity !== undefined) oddities.push(bodyOddity);
    if (!this.hasHead && oddities.length === 0) oddities.push('headers that could not be read');
    if (answer !== null && !this.hasHead && !this.sink.needsBody && kind !== 'cancelled')
      this.sink.onHead(answer, this);
    this.sink.onFailure(this.hasHead ? ofBody(error) : error, oddities);
  }

  private oddities(): readonly string[] {
    return this.connection?.answer()?.oddities ?? [];
  }

  /** @returns false if the exchange was already over */
  private finish(): boolean {
    if (this.over) return false;
    this.over = true;
    // The next request of the connection, and its end, are to be heard.
    this.connection?.resume();
    clearTimeout(this.timer);
    this.options.signal?.removeEventListener('abort', this.cancel);
    return true;
  }
}
