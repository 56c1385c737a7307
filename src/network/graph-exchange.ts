import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { NetworkOutcomeUnknown, NetworkUnreachable } from './network-error.js';

/** A complete answer, success or error. */
export interface GraphAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Maximum answer size, bytes. The network never sends one this large. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * One request and its answer. An error before the first byte is written proves that nothing was sent; an error
 * after it leaves the outcome unknown.
 */
export class GraphExchange implements Dispatcher.DispatchHandler {
  private started = false;
  private status = 0;
  private headers: IncomingHttpHeaders = {};
  private readonly chunks: Buffer[] = [];
  private size = 0;
  private answeredAt = 0;

  /** @param bodyMs how long the answer may take from its first byte, however steadily it trickles */
  constructor(
    private readonly bodyMs: number,
    private readonly resolve: (answer: GraphAnswer) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  onRequestStart(): void {
    this.started = true;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.status = status;
    this.answeredAt = performance.now();
    this.headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > MAX_BYTES) controller.abort(new Error('the answer is too large'));
    else if (performance.now() - this.answeredAt > this.bodyMs)
      controller.abort(new Error('the answer takes too long'));
    else this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.resolve({ status: this.status, headers: this.headers, text: Buffer.concat(this.chunks).toString('utf8') });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.reject(
      this.started
        ? new NetworkOutcomeUnknown(`the network's answer was lost: ${error.message}`, { cause: error })
        : new NetworkUnreachable(`the network could not be reached: ${error.message}`, { cause: error }),
    );
  }
}
