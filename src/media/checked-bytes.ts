import { createHash } from 'node:crypto';
import { HEAD_BYTES } from '../egress/media-limits.js';
import { contentTypeOf } from '../egress/media-type.js';
import type { FileFacts } from './fetch.queries.js';
import { FetchFailure } from './fetch-failure.js';
import type { ArrivingFile } from './network-files.js';

/** What was said about a file before it came. */
export interface ExpectedBytes extends Pick<ArrivingFile, 'bytes' | 'size' | 'sha256' | 'mimeType'> {
  readonly filename: string | null;
}

/**
 * Passes the bytes of a file on, and fails at their end unless they are what the network announced. Whoever stores them
 * keeps nothing then.
 */
export class CheckedBytes implements AsyncIterable<Buffer> {
  private readonly hash = createHash('sha256');
  private readonly head: Buffer[] = [];
  private size = 0;
  private sha256: string | null = null;

  constructor(private readonly expected: ExpectedBytes) {}

  async *[Symbol.asyncIterator](): AsyncIterator<Buffer> {
    for await (const chunk of this.expected.bytes) {
      // Copied, because the chunk is a part of a larger buffer.
      if (this.size < HEAD_BYTES) this.head.push(Buffer.from(chunk.subarray(0, HEAD_BYTES - this.size)));
      this.size += chunk.length;
      this.hash.update(chunk);
      yield chunk;
    }
    this.check();
  }

  /** What is known of the file by its bytes, once all of them have been passed on. */
  async facts(): Promise<FileFacts> {
    const { mimeType, filename } = this.expected;
    const servedAs = mimeType?.split(';', 1)[0]?.trim().toLowerCase() ?? null;
    const declared = { servedAs, fileName: filename ?? '' };
    return {
      mimeType: await contentTypeOf(Buffer.concat(this.head), declared),
      size: this.size,
      sha256: this.sha256 ?? '',
    };
  }

  private check(): void {
    const { size, sha256 } = this.expected;
    if (this.size === 0) throw new FetchFailure('mismatch', 'it is empty');
    if (size !== null && this.size !== size) {
      throw new FetchFailure('mismatch', `it has ${this.size} bytes instead of the ${size} that the network announced`);
    }
    this.sha256 = this.hash.digest('hex');
    if (sha256 !== null && this.sha256 !== sha256) {
      throw new FetchFailure('mismatch', 'its SHA-256 is not the one that the network announced');
    }
  }
}
