import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { EgressError, egressFailureOf } from './egress-error.js';

/** Bytes of an unwanted rest that are read so that the connection lives on; beyond, closing it is cheaper. */
const DRAINED_BYTES = 64 * 1024;

/** Status and headers of an answer. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** How a sink slows down or ends what flows into it. */
export interface ResponseFlow {
  pause(): void;
  resume(): void;
  /** Wants no more of the answer; nothing is called any more. */
  discard(): void;
}

/** Takes in one answer. After `onFailure` or `onEnd` nothing is called any more. */
export interface ResponseSink {
  onHead(head: ResponseHead, flow: ResponseFlow): void;
  onChunk(chunk: Buffer): void;
  onEnd(): void;
  onFailure(error: unknown): void;
}

/**
 * One request and its answer under one deadline, which starts with the wait for a connection and ends with the last
 * byte: no step of a slow or silent server can stretch it.
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
    /** Milliseconds that the caller gave in all, for the message of a timeout. */
    private readonly timeoutInAllMs: number,
  ) {
    this.timer = setTimeout(() => this.expire(), Math.max(0, timeoutMs));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.over) controller.abort(new Error('expired while it waited for a connection'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // 1xx only announces the answer.
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
      controller.abort(new Error('the rest of the answer is not wanted'));
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
    if (!this.finish()) return;
    const error = new EgressError('timeout', `did not answer within ${this.timeoutInAllMs / 1000} s`);
    if (!this.discarding) this.sink.onFailure(error);
    this.controller?.abort(error);
  }

  /** False when it was over before. */
  private finish(): boolean {
    if (this.over) return false;
    this.over = true;
    clearTimeout(this.timer);
    return true;
  }
}
