import { Readable } from 'node:stream';
import { type BodyLimits, decodedBody, decodedContent, encodedLimit, tooLarge } from './content-decoding.js';
import { type ContentEncoding, changesBytes, contentEncodingOf } from './content-encoding.js';
import type { ResponseFlow, ResponseHead, ResponseSink } from './exchange.js';

/** A response in memory; `truncated` when its body was longer than the cap, broke off, or did not end in time. */
export interface EgressResponse extends ResponseHead {
  /** Decoded by its `Content-Encoding`. */
  readonly body: Buffer;
  readonly truncated: boolean;
}

/** A response whose body is still arriving. The caller must read the body to the end or destroy it. */
export interface EgressDownload extends ResponseHead {
  /** Decoded by its `Content-Encoding`, so `Content-Length` need not be its length. */
  readonly body: Readable;
}

/**
 * Buffers up to `maxBytes` of a response and decodes them, up to as many. Resolves when no more will come, or when the rest
 * was given up. Until then the connection is taken: a caller that went on earlier could have any number of them. Rejects
 * only if the headers never came.
 */
export class BufferedResponse implements ResponseSink {
  readonly needsBody = false;
  readonly response: Promise<EgressResponse>;
  private resolve: (response: EgressResponse | Promise<EgressResponse>) => void;
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
    const body = Buffer.concat(this.chunks);
    const encoding = body.length === 0 ? null : contentEncodingOf(head.headers);
    const response = { ...head, body, truncated };
    this.resolve(encoding === null ? response : this.decoded(response, encoding));
  }

  private async decoded(response: EgressResponse, encoding: ContentEncoding): Promise<EgressResponse> {
    const { body, truncated, oddities } = response;
    const content = await decodedContent(body, encoding, { maxBytes: this.maxBytes, isCut: truncated });
    return { ...response, ...content, oddities: [...oddities, ...content.oddities] };
  }
}

/** Exposes a response as a stream, which fails with `too_large` beyond `maxBytes`, and as {@link decodedBody} does. */
export class StreamedResponse implements ResponseSink {
  readonly needsBody = true;
  readonly download: Promise<EgressDownload>;
  private resolve: (download: EgressDownload) => void;
  private reject: (error: unknown) => void;
  /** As it arrives, so perhaps encoded. */
  private body: Readable | null = null;
  private maxArriving: number;
  private flow: ResponseFlow;
  private size = 0;

  constructor(private readonly limits: BodyLimits) {
    this.maxArriving = limits.maxBytes;
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
    const encoding = contentEncodingOf(head.headers);
    const isEncoded = changesBytes(encoding);
    if (isEncoded) this.maxArriving = encodedLimit(this.limits.maxBytes);
    this.resolve({ ...head, body: isEncoded ? decodedBody(this.body, encoding, this.limits) : this.body });
  }

  onChunk(chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > this.maxArriving) {
      this.body?.destroy(tooLarge(this.limits.maxBytes));
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
