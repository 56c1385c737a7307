import { Readable } from 'node:stream';
import { EgressError } from './egress-error.js';
import type { ResponseFlow, ResponseHead, ResponseSink } from './exchange.js';

/** A response in memory; `truncated` when its body was longer than the cap, broke off, or did not end in time. */
export interface EgressResponse extends ResponseHead {
  readonly body: Buffer;
  readonly truncated: boolean;
}

/** A response whose body is still arriving. The caller must read the body to the end or destroy it. */
export interface EgressDownload extends ResponseHead {
  readonly body: Readable;
}

/**
 * Buffers up to `maxBytes` of a response, and resolves when no more will come, or when the rest was given up. Until then
 * the connection is taken: a caller that went on earlier could have any number of them. Rejects only if the headers never
 * came.
 */
export class BufferedResponse implements ResponseSink {
  readonly needsBody = false;
  readonly response: Promise<EgressResponse>;
  private resolve: (response: EgressResponse) => void;
  private reject: (error: unknown) => void;
  private head: ResponseHead | null = null;
  private flow: ResponseFlow;
  private readonly chunks: Buffer[] = [];
  private size = 0;

  constructor(private readonly maxBytes: number) {
    this.response = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  onHead(head: ResponseHead, flow: ResponseFlow): void {
    this.head = head;
    this.flow = flow;
  }

  onChunk(chunk: Buffer): void {
    const room = this.maxBytes - this.size;
    this.chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.size += chunk.length;
    if (this.size > this.maxBytes) this.flow.discard();
  }

  onEnd(oddities: readonly string[]): void {
    if (this.head !== null) this.finish({ ...this.head, oddities }, this.size > this.maxBytes);
  }

  onFailure(error: unknown, oddities: readonly string[]): void {
    if (this.head === null) this.reject(error);
    else this.finish({ ...this.head, oddities }, true);
  }

  private finish(head: ResponseHead, truncated: boolean): void {
    // Copied, so that a short response does not keep the socket's large buffer alive.
    this.resolve({ ...head, body: Buffer.concat(this.chunks), truncated });
  }
}

/** Exposes a response as a stream, which fails with `too_large` beyond `maxBytes`. */
export class StreamedResponse implements ResponseSink {
  readonly needsBody = true;
  readonly download: Promise<EgressDownload>;
  private resolve: (download: EgressDownload) => void;
  private reject: (error: unknown) => void;
  private body: Readable | null = null;
  private flow: ResponseFlow;
  private size = 0;

  constructor(private readonly maxBytes: number) {
    this.download = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  onHead(head: ResponseHead, flow: ResponseFlow): void {
    this.flow = flow;
    this.body = new Readable({
      read: () => flow.resume(),
      destroy: (error, callback) => {
        flow.discard();
        callback(error);
      },
    });
    // The body may fail before anyone reads it; a later read still gets the error.
    this.body.on('error', () => undefined);
    this.resolve({ ...head, body: this.body });
  }

  onChunk(chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > this.maxBytes) {
      this.body?.destroy(new EgressError('too_large', `is larger than ${this.maxBytes} bytes`));
    } else if (this.body?.push(chunk) === false) {
      this.flow.pause();
    }
  }

  onEnd(): void {
    if (this.body?.destroyed === false) this.body.push(null);
  }

  onFailure(error: unknown): void {
    if (this.body === null) this.reject(error);
    else this.body.destroy(error as Error);
  }
}
