import zlib, { type BrotliDecompress, type Inflate, type InflateRaw } from 'node:zlib';
import type { ByteSource } from './byte-source.js';
import { EgressError } from './egress-error.js';

/** Content that ends too early or is damaged. */
export class UnreadableContent extends EgressError {
  /** What the response then has, for a note on it. */
  readonly oddity: string;

  constructor(
    coding: string,
    readonly isBrokenOff: boolean,
    cause?: unknown,
  ) {
    const message = isBrokenOff ? `ended before its ${coding} content was complete` : `has damaged ${coding} content`;
    super('bad_encoding', message, cause);
    this.oddity = isBrokenOff ? `${coding} content that breaks off` : `damaged ${coding} content`;
  }
}

/** The formats that zlib decodes, apart from the frame of gzip. */
export const FORMATS = {
  /** Deflate with its zlib wrapper, as its specification says. */
  zlib: { coding: 'deflate', make: () => zlib.createInflate(), hasChecksum: true },
  /** Deflate without it, as some servers send it. */
  raw: { coding: 'deflate', make: () => zlib.createInflateRaw(), hasChecksum: false },
  br: { coding: 'br', make: () => zlib.createBrotliDecompress(), hasChecksum: false },
  /** What is inside gzip. */
  member: { coding: 'gzip', make: () => zlib.createInflateRaw(), hasChecksum: false },
} as const satisfies Record<string, Format>;

/** What is inside one stream of encoded bytes. */
export interface Format {
  /** Its name in messages. */
  readonly coding: string;
  readonly make: () => Inflate | InflateRaw | BrotliDecompress;
  /** Whether what has ended without a fault is of this format beyond doubt. */
  readonly hasChecksum: boolean;
}

const NOTHING = Buffer.alloc(0);

/**
 * Decodes one stream of encoded bytes, on zlib's threads. It takes one piece at a time and works only as fast as its output
 * is read, so it never holds more than a chunk. Close it in the end.
 */
export class ZlibEngine {
  /** The bytes of the last piece that are behind the end of the stream. */
  rest: Buffer = NOTHING;
  private readonly stream;
  private hasEnded = false;
  private failure: UnreadableContent | null = null;
  private wake = (): void => undefined;

  constructor(format: Format) {
    this.stream = format.make();
    this.stream.on('readable', () => this.wake());
    this.stream.on('end', () => {
      this.hasEnded = true;
      this.wake();
    });
    this.stream.on('error', (error) => {
      this.failure = new UnreadableContent(format.coding, 'code' in error && error.code === 'Z_BUF_ERROR', error);
      this.wake();
    });
  }

  /** Whether the stream has ended; not yet known when it ended with the last piece. */
  get isOver(): boolean {
    return this.rest.length > 0;
  }

  /** @throws UnreadableContent if it is damaged; the last bytes before that are lost */
  async *decode(piece: Buffer): AsyncGenerator<Buffer, void, undefined> {
    const before = this.stream.bytesWritten;
    let isDone = false;
    this.stream.write(piece, () => {
      isDone = true;
      this.wake();
    });
    yield* this.outputs(() => isDone);
    this.rest = piece.subarray(this.stream.bytesWritten - before);
  }

  /**
   * Decodes what follows in a source, up to the end of the stream.
   *
   * @throws UnreadableContent if it is damaged or incomplete; errors of the source
   */
  async *decodeAll(source: ByteSource): AsyncGenerator<Buffer, void, undefined> {
    for (let piece = await source.next(); piece !== null; piece = await source.next()) {
      yield* this.decode(piece);
      if (!this.isOver) continue;
      source.unread(this.rest);
      return;
    }
    this.stream.end();
    yield* this.outputs(() => false);
  }

  close(): void {
    this.stream.destroy();
  }

  private async *outputs(isDone: () => boolean): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      const output = this.stream.read() as Buffer | null;
      if (output !== null) yield output;
      else if (this.failure !== null) throw this.failure;
      else if (this.hasEnded || isDone()) return;
      else await woken;
    }
  }
}
