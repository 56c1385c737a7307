import { Readable } from 'node:stream';
import { ByteSource } from './byte-source.js';
import type { Coding, ContentEncoding } from './content-encoding.js';
import { EgressError } from './egress-error.js';
import { gunzipped, isGzip } from './gzip-members.js';
import { FORMATS, type Format, UnreadableContent, ZlibEngine } from './zlib-engine.js';

// undici's own decoder fails where header and bytes differ, on gzip with bytes behind it and on content that was cut off,
// and cannot read deflate without its wrapper.

/** How many encoded bytes we look at to tell whether they are what their header says. */
const HEAD_BYTES = 4096;
/** How many bytes we decode of them to tell. */
const TRIAL_BYTES = 16 * 1024;
/** How many buffers are decoded at once: zlib has as many threads, and Brotli may need 16 MiB for each. */
const MAX_BUFFERS = 4;
/**
 * How many bodies in Brotli with a window of more than 4 MiB are decoded while they arrive. Each needs so much memory for as
 * long as its server takes; servers choose smaller ones.
 */
const MAX_LARGE_BODIES = 16;
const LARGE_WINDOW_BITS = 23;

type Bytes = AsyncGenerator<Buffer, void, undefined>;
/** Is told what is odd about an encoding. */
type Report = (oddity: string) => void;

/** How many encoded bytes are read for `maxBytes` of content. An encoding may make it larger, but not by much. */
export const encodedLimit = (maxBytes: number): number => 2 * maxBytes + 64 * 1024;

/** The failure of content that is larger than its limit. */
export const tooLarge = (maxBytes: number): EgressError =>
  new EgressError('too_large', `is larger than ${maxBytes} bytes`);

/** The beginning of some content. */
export interface DecodedContent {
  readonly body: Buffer;
  /** Whether there was more of it. */
  readonly truncated: boolean;
  /** What was odd about its encoding. */
  readonly oddities: readonly string[];
}

/** What a body may take. */
export interface BodyLimits {
  /** Of content. */
  readonly maxBytes: number;
  /** When it must have been read, by `performance.now()`. */
  readonly deadline: number;
  /** What it then fails with. */
  readonly late: () => EgressError;
}

/**
 * Decodes a body while it arrives, as fast as it is read. The result fails with the error of `encoded`, with `late`, or with
 * an EgressError: `too_large` beyond `maxBytes`, `unknown_encoding`, or `bad_encoding` when the body is incomplete or
 * damaged. Bytes that are not what the header says are passed on as they are. Destroying the result destroys `encoded`.
 */
export function decodedBody(encoded: Readable, encoding: ContentEncoding, limits: BodyLimits): Readable {
  const ending = new AbortController();
  const bytes = readable(encoded, encoding, limits.maxBytes, ending.signal);
  // What has arrived has no other limit of time, and may have to wait to be decoded.
  const timer = setTimeout(() => body.destroy(limits.late()), Math.max(0, limits.deadline - performance.now()));
  const body = new Readable({
    read: () => {
      bytes.next().then(
        ({ value }) => body.push(value ?? null),
        (error: Error) => body.destroy(error),
      );
    },
    destroy: (error, callback) => {
      clearTimeout(timer);
      encoded.destroy();
      ending.abort();
      bytes.return().catch(() => undefined);
      callback(error);
    },
  });
  // Both may fail before anyone reads; a later read still gets the error.
  encoded.on('error', (error) => body.destroy(error));
  body.on('error', () => undefined);
  return body;
}

async function* readable(
  encoded: Readable,
  { codings, refusal }: ContentEncoding,
  maxBytes: number,
  signal: AbortSignal,
): Bytes {
  if (refusal !== null) throw new EgressError('unknown_encoding', refusal);
  const large = { slots: largeBodies, signal };
  yield* bounded(decoded(arriving(encoded), codings, { maxBytes: encodedLimit(maxBytes), large }), maxBytes);
}

/** Its bytes; does not end it with an error, as the iterator of a stream does, when they are not read to the end. */
async function* arriving(encoded: Readable): Bytes {
  const iterator = encoded[Symbol.asyncIterator]() as AsyncIterator<Buffer, unknown>;
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
}

/**
 * Decodes the beginning of a body, up to `maxBytes`. It never fails: what cannot be decoded is returned as it is.
 *
 * @param isCut whether the body goes on behind `encoded`
 */
export async function decodedContent(
  encoded: Buffer,
  encoding: ContentEncoding,
  { maxBytes, isCut }: { readonly maxBytes: number; readonly isCut: boolean },
): Promise<DecodedContent> {
  const oddities = encoding.oddity === null ? [] : [encoding.oddity];
  if (encoding.codings.length === 0) return { body: encoded, truncated: isCut, oddities };
  const chunks: Buffer[] = [];
  let size = 0;
  let failure: unknown = null;
  await buffers.take();
  try {
    const report: Report = (oddity) => oddities.push(oddity);
    const options = { maxBytes: encodedLimit(maxBytes), report };
    for await (const chunk of decoded(once(encoded), encoding.codings, options)) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) break;
    }
  } catch (error) {
    failure = error;
  } finally {
    buffers.release();
  }
  // Whatever was cut off ends too early.
  const isFault = failure !== null && !(isCut && failure instanceof UnreadableContent && failure.isBrokenOff);
  if (isFault && failure instanceof UnreadableContent) oddities.push(failure.oddity);
  else if (failure instanceof EgressError && failure.kind === 'too_large')
    oddities.push('content that grows too large');
  const body = isFault && size === 0 ? encoded : Buffer.concat(chunks).subarray(0, maxBytes);
  return { body, truncated: isCut || failure !== null || size > maxBytes, oddities };
}

async function* once(bytes: Buffer): Bytes {
  yield bytes;
}

/** Lets so many go on at once; the others wait for one of them. */
class Slots {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** @param signal ends the waiting */
  async take(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.free > 0) {
      this.free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(enter), 1);
        reject(signal?.reason as Error);
      };
      const enter = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      this.waiting.push(enter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  release(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free += 1;
    else next();
  }
}

const buffers = new Slots(MAX_BUFFERS);
const largeBodies = new Slots(MAX_LARGE_BODIES);

/** How content is decoded. */
interface DecodingOptions {
  /** How much the first of two codings may leave for the second. */
  readonly maxBytes: number;
  readonly report?: Report;
  /** What content with a large window waits for. */
  readonly large?: { readonly slots: Slots; readonly signal: AbortSignal };
}

function decoded(encoded: AsyncIterable<Buffer>, codings: readonly Coding[], options: DecodingOptions): Bytes {
  const [outer, inner] = codings.map((coding) => (bytes: AsyncIterable<Buffer>) => decodedOnce(coding, bytes, options));
  const bytes = (outer as (bytes: AsyncIterable<Buffer>) => Bytes)(encoded);
  return inner === undefined ? bytes : inner(bounded(bytes, options.maxBytes));
}

async function* bounded(bytes: Bytes, maxBytes: number): Bytes {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

async function* decodedOnce(coding: Coding, encoded: AsyncIterable<Buffer>, { report, large }: DecodingOptions): Bytes {
  const source = new ByteSource(encoded);
  let slots: Slots | null = null;
  try {
    const head = await source.peek(HEAD_BYTES);
    if (head.length === 0) return;
    if (coding === 'br' && large !== undefined && windowBits(head) >= LARGE_WINDOW_BITS) {
      await large.slots.take(large.signal);
      slots = large.slots;
    }
    const begun = coding === 'gzip' ? null : await begin(coding, head);
    if (begun !== null) {
      yield* goOn(begun, source);
    } else if (coding === 'gzip' && isGzip(head)) {
      yield* gunzipped(source);
    } else {
      report?.(`a body that is not ${coding}, though its Content-Encoding says so`);
      for (let piece = await source.next(); piece !== null; piece = await source.next()) yield piece;
    }
  } finally {
    slots?.release();
    await source.close();
  }
}

/** How many bits the window of Brotli has, as its first byte says; 0 for a small one. */
const windowBits = ([first = 0]: Buffer): number =>
  (first & 1) === 1 && (first & 14) !== 0 ? 17 + ((first & 14) >> 1) : 0;

/** An engine that has decoded at least a part of a head. */
interface Begun {
  readonly engine: ZlibEngine;
  readonly outputs: readonly Buffer[];
  /** The other outputs of the head. */
  readonly others: Bytes;
}

/** Begins to decode what begins with `head`; null when it is not encoded so at all. */
async function begin(coding: 'deflate' | 'br', head: Buffer): Promise<Begun | null> {
  // Some texts can be decoded to nonsense; but what is encoded never reads as text, unless it is the one byte of nothing.
  if (isText(head) && !(coding === 'br' && isNothing(head))) return null;
  for (const format of coding === 'br' ? [FORMATS.br] : [FORMATS.zlib, FORMATS.raw]) {
    const begun = await beginAs(format, head);
    if (begun !== null) return begun;
  }
  return null;
}

/** Whether a head is all that Brotli makes of nothing: the size of a window, and that this was all. */
const isNothing = (head: Buffer): boolean =>
  head.length === 1 && windowBits(head) > 0 && ((head[0] as number) & 0xf0) === 0x30;

async function beginAs(format: Format, head: Buffer): Promise<Begun | null> {
  const engine = new ZlibEngine(format);
  const others = engine.decode(head);
  const outputs: Buffer[] = [];
  try {
    let size = 0;
    for (let next = await others.next(); next.done !== true; next = await others.next()) {
      outputs.push(next.value);
      size += next.value.length;
      if (size > TRIAL_BYTES) break;
    }
    // Without a checksum, an end with bytes behind it may be the doing of chance.
    const isWhole = !engine.isOver || engine.rest.every((byte) => BLANKS.includes(byte));
    if (format.hasChecksum || isWhole) return { engine, outputs, others };
  } catch {
    // It is not of this format.
  }
  engine.close();
  return null;
}

async function* goOn({ engine, outputs, others }: Begun, source: ByteSource): Bytes {
  try {
    await source.next();
    yield* outputs;
    yield* others;
    if (!engine.isOver) yield* engine.decodeAll(source);
  } finally {
    engine.close();
  }
}

/** What some servers write behind content: line ends, blanks and zeros. */
const BLANKS: readonly number[] = [0, 9, 10, 13, 32];

const CONTROL = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/;

/** Whether bytes are a text in UTF-8, of which the last character may be cut off. */
function isText(head: Buffer): boolean {
  try {
    return !CONTROL.test(new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true }));
  } catch {
    return false;
  }
}
