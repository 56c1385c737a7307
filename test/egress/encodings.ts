import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

/** A way to encode content, and what a server calls it. */
export interface Encoding {
  readonly name: string;
  readonly header: string;
  encode(content: Buffer): Buffer;
}

/** All that Parley decodes. */
export const ENCODINGS: readonly Encoding[] = [
  { name: 'gzip', header: 'gzip', encode: (content) => gzipSync(content) },
  { name: 'x-gzip', header: 'X-GZip', encode: (content) => gzipSync(content, { level: 1 }) },
  { name: 'gzip in two members', header: 'gzip', encode: (content) => inMembers(content) },
  { name: 'gzip with a name', header: 'gzip', encode: (content) => named(gzipSync(content)) },
  { name: 'gzip with bytes behind it', header: 'gzip', encode: (content) => followed(gzipSync(content)) },
  { name: 'deflate', header: 'deflate', encode: (content) => deflateSync(content) },
  { name: 'deflate without wrapper', header: 'deflate', encode: (content) => deflateRawSync(content) },
  { name: 'deflate of level 0', header: 'DEFLATE', encode: (content) => deflateSync(content, { level: 0 }) },
  { name: 'br', header: 'br', encode: (content) => brotliCompressSync(content) },
  {
    name: 'br for texts',
    header: 'Br',
    encode: (content) =>
      brotliCompressSync(content, {
        params: {
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_QUALITY]: 5,
          [constants.BROTLI_PARAM_LGWIN]: 24,
        },
      }),
  },
];

/** One encoding after the other, as a server that does it twice. */
export const inTurn = (first: Encoding, second: Encoding): Encoding => ({
  name: `${first.name}, then ${second.name}`,
  header: `${first.header}, ${second.header}`,
  encode: (content) => second.encode(first.encode(content)),
});

/** The encoding of that name. */
export function encodingOf(name: string): Encoding {
  const found = ENCODINGS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no encoding ${name}`);
  return found;
}

function inMembers(content: Buffer): Buffer {
  const middle = Math.floor(content.length / 2);
  return Buffer.concat([gzipSync(content.subarray(0, middle)), gzipSync(content.subarray(middle))]);
}

/** Gzip whose header has a name, a comment, more bytes, and a checksum, which nobody checks. */
function named(encoded: Buffer): Buffer {
  const header = Buffer.from(encoded.subarray(0, 10));
  header[3] = 2 | 4 | 8 | 16;
  const more = Buffer.concat([
    Buffer.from([5, 0]),
    Buffer.from('extra'),
    Buffer.from('name.txt\0comment\0'),
    Buffer.from([0, 0]),
  ]);
  return Buffer.concat([header, more, encoded.subarray(10)]);
}

const followed = (encoded: Buffer): Buffer => Buffer.concat([encoded, Buffer.from('\r\nand more')]);
