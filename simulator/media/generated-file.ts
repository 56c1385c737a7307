import { createHash, type Hash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { plainType } from './media-types.js';

const hex = (bytes: string): Buffer => Buffer.from(bytes.replaceAll(' ', ''), 'hex');
const text = (value: string): Buffer => Buffer.from(value, 'latin1');
const container = (brand: string): Buffer =>
  Buffer.concat([hex('00000018'), text(`ftyp${brand}`), hex('00000000'), text('isommp42')]);

/** How files of each type begin; others begin with the filling. */
const HEADS: Readonly<Record<string, Buffer>> = {
  'image/jpeg': hex('ffd8ffe0 0010 4a46494600 0101 00 0001 0001 0000'),
  'image/png': hex('89504e470d0a1a0a 0000000d 49484452 00000001 00000001 08 06 000000 1f15c489 00010000 49444154'),
  'image/webp': Buffer.concat([text('RIFF'), hex('00100000'), text('WEBPVP8 '), hex('00080000')]),
  'video/mp4': container('mp42'),
  'video/3gpp': container('3gp4'),
  'audio/mp4': container('M4A '),
  'audio/aac': hex('fff15080 02 1f fc'),
  'audio/amr': text('#!AMR\n'),
  'audio/mpeg': hex('fffb9064'),
  'audio/ogg': Buffer.concat([text('OggS'), Buffer.alloc(24), text('OpusHead'), Buffer.alloc(11)]),
  'application/pdf': text('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n1 0 obj\n'),
};

const LINE = 64;
const BLOCK_BYTES = 64 * 1024;
/** How much is hashed in one turn of the event loop. */
const TURN_BYTES = 1024 * 1024;
const MAX_KNOWN = 100;

/** What fills a file: lines of text, so that it suits every type. */
const FILLING = Buffer.alloc(BLOCK_BYTES, `${'simulated '.repeat(LINE).slice(0, LINE - 1)}\n`);

/** A file that is made up from its description: the same one whenever it is read. */
export interface GeneratedFile {
  id: string;
  mime_type: string;
  file_size: number;
}

const headOf = ({ mime_type }: GeneratedFile): Buffer => HEADS[plainType(mime_type)] ?? Buffer.of();

/** The end of a file, which differs from that of every other one. */
const tailOf = ({ id }: GeneratedFile): Buffer => text(createHash('sha256').update(id).digest('hex'));

/** The bytes of a file but for its end. */
function* bodyOf(file: GeneratedFile): Generator<Buffer> {
  const head = headOf(file);
  let rest = Math.max(file.file_size - tailOf(file).length, 0);
  if (rest > 0 && head.length > 0) yield head.subarray(0, rest);
  for (rest -= head.length; rest > 0; rest -= BLOCK_BYTES) yield FILLING.subarray(0, rest);
}

/** The bytes of a file, in pieces of at most 64 KB. */
export function* bytesOf(file: GeneratedFile): Generator<Buffer> {
  yield* bodyOf(file);
  if (file.file_size > 0) yield tailOf(file).subarray(0, file.file_size);
}

/** The hashes of all but the end of a file, by type and size. */
const known = new Map<string, Promise<Hash>>();

async function hashBody(file: GeneratedFile): Promise<Hash> {
  const hash = createHash('sha256');
  let hashed = 0;
  for (const piece of bodyOf(file)) {
    hash.update(piece);
    hashed += piece.length;
    if (hashed % TURN_BYTES < BLOCK_BYTES) await turn();
  }
  return hash;
}

/** The sha256 of a file. Files of one type and size differ in their end only, so a large one is hashed once. */
export async function hashOf(file: GeneratedFile): Promise<Buffer> {
  const key = `${plainType(file.mime_type)} ${file.file_size}`;
  const body = known.get(key) ?? hashBody(file);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, body);
  return (await body).copy().update(tailOf(file).subarray(0, file.file_size)).digest();
}
