import { Readable } from 'node:stream';
import { EgressError } from './egress-error.js';
import type { ResponseFlow, ResponseHead, ResponseSink } from './exchange.js';

/** An answer in memory; `truncated` when it was longer than the cap. */
export interface EgressResponse extends ResponseHead {
  readonly body: Buffer;
  readonly truncated: boolean;
}

/** An answer whose body is still on its way. The reader reads it to the end or destroys it. */
export interface EgressDownload extends ResponseHead {
  readonly body: Readable;
}

/** Keeps an answer up to `maxBytes`, and answers as soon as it has that much. */
export class BufferedResponse implements ResponseSink {
  readonly response: Promise<EgressResponse>;
  private resolve: (response: EgressResponse) => void;
  private reject: (error: unknown) => void;
  private head: ResponseHead;
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
    if (chunk.length <= room) return;
    this.flow.discard();
    this.answer(true);
  }

  onEnd(): void {
    this.answer(false);
  }

  onFailure(error: unknown): void {
    this.reject(error);
  }

  private answer(truncated: boolean): void {
    // Copied, so that a short answer does not keep the socket's large buffer alive.
    this.resolve({ ...this.head, body: Buffer.concat(this.chunks), truncated });
  }
}

/** Hands an answer on as a stream, which fails with `too_large` when it grows beyond `maxBytes`. */
export class StreamedResponse implements ResponseSink {
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
    // A body may fail before anybody reads it; the reader is told when it does.
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
    this.body?.push(null);
  }

  onFailure(error: unknown): void {
    if (this.body === null) this.reject(error);
    else this.body.destroy(error as Error);
  }
}
