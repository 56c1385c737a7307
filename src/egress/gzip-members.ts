import { crc32 } from 'node:zlib';
import type { ByteSource } from './byte-source.js';
import { FORMATS, UnreadableContent, ZlibEngine } from './zlib-engine.js';

const MAGIC = Buffer.from([0x1f, 0x8b, 8]);
/** A header has at least so many bytes; it may also hold a name, a comment and more. */
const MIN_HEADER_BYTES = 10;
const MAX_HEADER_BYTES = 128 * 1024;
/** How much of a header is looked at first. */
const FIRST_LOOK_BYTES = 4096;
/** The flags of a header. */
const [HAS_CHECKSUM, HAS_EXTRA, HAS_NAME, HAS_COMMENT, RESERVED] = [2, 4, 8, 16, 0xe0];
const TRAILER_BYTES = 8;
/**
 * So many members may be empty, and one more for each {@link BYTES_PER_MEMBER} of content. Nobody sends more, and a member
 * costs as much time as a long content.
 */
const MAX_SMALL_MEMBERS = 100;
const BYTES_PER_MEMBER = 1024;

/**
 * Decodes all members of gzip and ignores what follows them. zlib's own reader of gzip fails there, and takes back what it
 * has decoded.
 *
 * @throws UnreadableContent
 */
export async function* gunzipped(source: ByteSource): AsyncGenerator<Buffer, void, undefined> {
  let [members, size] = [0, 0];
  do {
    members += 1;
    if (members > MAX_SMALL_MEMBERS + size / BYTES_PER_MEMBER) throw new UnreadableContent('gzip', false);
    await skipHeader(source);
    const engine = new ZlibEngine(FORMATS.member);
    let checksum = 0;
    try {
      for await (const chunk of engine.decodeAll(source)) {
        checksum = crc32(chunk, checksum);
        size += chunk.length;
        yield chunk;
      }
    } finally {
      engine.close();
    }
    const trailer = await source.peek(TRAILER_BYTES);
    if (trailer.length < TRAILER_BYTES) throw new UnreadableContent('gzip', true);
    if (trailer.readUInt32LE() !== checksum) throw new UnreadableContent('gzip', false);
    source.skip(TRAILER_BYTES);
  } while (isGzip(await source.peek(MIN_HEADER_BYTES), MIN_HEADER_BYTES));
}

/** Whether gzip begins with `head`, of at least so many bytes. */
export function isGzip(head: Buffer, least = 1): boolean {
  const magic = MAGIC.subarray(0, head.length);
  return head.length >= least && head.subarray(0, magic.length).equals(magic) && ((head[3] ?? 0) & RESERVED) === 0;
}

async function skipHeader(source: ByteSource): Promise<void> {
  for (let size = FIRST_LOOK_BYTES; size <= MAX_HEADER_BYTES; size *= 2) {
    const head = await source.peek(size);
    const length = headerLength(head);
    if (length !== null) {
      source.skip(length);
      return;
    }
    if (head.length < size) throw new UnreadableContent('gzip', true);
  }
  throw new UnreadableContent('gzip', false);
}

/** Null when the header goes on. */
function headerLength(head: Buffer): number | null {
  const flags = head[3] ?? 0;
  let length = MIN_HEADER_BYTES;
  if ((flags & HAS_EXTRA) !== 0) {
    if (head.length < length + 2) return null;
    length += 2 + head.readUInt16LE(length);
  }
  for (const flag of [HAS_NAME, HAS_COMMENT]) {
    if ((flags & flag) === 0) continue;
    const end = head.indexOf(0, length);
    if (end < 0) return null;
    length = end + 1;
  }
  if ((flags & HAS_CHECKSUM) !== 0) length += 2;
  return length <= head.length ? length : null;
}
