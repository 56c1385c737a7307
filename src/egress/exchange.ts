import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { EgressError, egressFailureOf } from './egress-error.js';

/** Bytes of an unwanted body that we read to keep the connection alive; beyond that, closing it is cheaper. */
const DRAINED_BYTES = 64 * 1024;

/** Status and headers of a response. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** Flow control for a sink. */
export interface ResponseFlow {
  pause(): void;
  resume(): void;
  /** Ignores the rest of the response; the sink gets no further calls. */
  discard(): void;
}

/** Receives one response. `onFailure` or `onEnd` is the last call. */
export interface ResponseSink {
  onHead(head: ResponseHead, flow: ResponseFlow): void;
  onChunk(chunk: Buffer): void;
  onEnd(): void;
  onFailure(error: unknown): void;
}

/**
 * One request and its response under a single deadline, from the wait for a connection to the last byte, so that a slow
 * or silent server cannot stretch any step of it.
 */
export class Exchange implements Dispatcher.DispatchHandler, ResponseFlow {
  private controller: Dispatcher.DispatchController | null = null;
  private readonly timer: NodeJS.Timeout;
  private over = false;
  private discarding = false;
  private drained = 0;

  constructor(
    private readonly sink: ResponseSink,
    timeoutMs: number,
    /** The caller's total timeout in milliseconds, for the error message. */
    private readonly totalTimeoutMs: number,
    /** Cancels the exchange when aborted. */
    private readonly signal?: AbortSignal,
  ) {
    this.timer = setTimeout(() => this.expire(), Math.max(0, timeoutMs));
    signal?.addEventListener('abort', this.cancel);
    if (signal?.aborted === true) this.cancel();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.over) controller.abort(new Error('timed out waiting for a connection'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // Skip informational (1xx) responses.
    if (status >= 200 && !this.over) this.sink.onHead({ status, headers }, this);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.over) return;
    if (!this.discarding) {
      this.sink.onChunk(chunk);
      return;
    }
    this.drained += chunk.length;
    if (this.drained > DRAINED_BYTES) {
      this.finish();
      controller.abort(new Error('the rest of the response is not needed'));
    }
  }

  onResponseEnd(): void {
    if (this.finish() && !this.discarding) this.sink.onEnd();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: unknown): void {
    if (this.finish() && !this.discarding) this.sink.onFailure(egressFailureOf(error));
  }

  pause(): void {
    this.controller?.pause();
  }

  resume(): void {
    this.controller?.resume();
  }

  discard(): void {
    this.discarding = true;
    this.resume();
  }

  private expire(): void {
    this.stop(new EgressError('timeout', `did not answer within ${this.totalTimeoutMs / 1000} s`));
  }

  private readonly cancel = (): void => {
    this.stop(new EgressError('cancelled', 'was not needed any more'));
  };

  private stop(error: EgressError): void {
    if (!this.finish()) return;
    if (!this.discarding) this.sink.onFailure(error);
    this.controller?.abort(error);
  }

  /** @returns false if the exchange was already over */
  private finish(): boolean {
    if (this.over) return false;
    this.over = true;
    clearTimeout(this.timer);
    this.signal?.removeEventListener('abort', this.cancel);
    return true;
  }
}
