import iconv from 'iconv-lite';
import { markedEncoding } from '../../values/byte-order-mark.js';
import { WesternText } from './western-text.js';

/** How a file writes its characters. */
export interface FileEncoding {
  /** `ASCII` when the other characters are in an encoding that we cannot tell. */
  readonly name: 'UTF-8' | 'UTF-16LE' | 'UTF-16BE' | 'Windows-1252' | 'ASCII';
  /** Whether some of its bytes write nothing in it; they are read as U+FFFD. */
  readonly isBroken: boolean;
}

type Bytes = AsyncIterable<Buffer>;

/**
 * Bytes that are no UTF-8 for each character that is: most letters of a file in UTF-8 outlast what breaks some, while text
 * in another encoding looks like UTF-8 by chance only.
 */
const BROKEN_PER_WHOLE = 4;
/**
 * What a capital or ß of Windows-1252 with a quotation mark or a dash behind it looks like in UTF-8: letters of phonetic
 * alphabets, of Armenian, Syriac and N’Ko.
 */
const BY_CHANCE = /[\u0180-\u02ff\u0500-\u058f\u0700-\u07ff]/g;
/** As many characters beyond ASCII tell how many of them are broken. */
const MANY_CHARACTERS = 1_000_000;

/** How much of a file tells whether it is in UTF-16, bytes. */
const LOOK_BYTES = 4096;
/** Of as many characters one is ASCII in any language: digits, separators, line ends. */
const CHARACTERS_PER_ASCII = 4;
/** Bytes of zero where UTF-16 has them in ASCII, for each where only rare characters have one. */
const ZEROS_PER_STRAY = 4;

/**
 * Finds how a file is encoded: by its byte order mark, by the zeros that UTF-16 has in front of or behind ASCII, or by
 * whether its bytes are UTF-8. A file without a mark that has next to nothing of UTF-8 beyond ASCII is in Windows-1252, as
 * spreadsheets of Western Europe and America save it, if that makes sense.
 *
 * @param read reads the file from its start, as often as necessary
 */
export async function encodingOf(read: () => Bytes): Promise<FileEncoding> {
  const start = await startOf(read());
  const marked = markedEncoding(start);
  const name = marked ?? utf16Of(start) ?? 'UTF-8';
  if (await isWhole(read(), name)) return { name, isBroken: false };
  if (name !== 'UTF-8' || marked !== null || (await isMostlyUtf8(read))) return { name, isBroken: true };
  return { name: (await isWestern(read)) ? 'Windows-1252' : 'ASCII', isBroken: true };
}

/** The text of a file, without byte order marks at its start. */
export async function* decoded(bytes: Bytes, { name }: FileEncoding): AsyncGenerator<string> {
  const decode = decoderOf(name);
  let isStart = true;
  for await (const chunk of bytes) {
    const text = isStart ? decode(chunk).replace(/^\ufeff+/, '') : decode(chunk);
    if (text === '') continue;
    isStart = false;
    yield text;
  }
  const rest = decode();
  if (rest !== '') yield rest;
}

/** A decoder of pieces; without one it gives what is left at the end. */
function decoderOf(name: FileEncoding['name']): (piece?: Buffer) => string {
  // Node's own decoder reads Windows-1252 as Latin-1 from 20.18.3 on: € would become a control character.
  if (name === 'Windows-1252' || name === 'ASCII')
    return (piece) => (piece === undefined ? '' : iconv.decode(piece, 'windows-1252'));
  const decoder = new TextDecoder(name);
  return (piece) => decoder.decode(piece, { stream: piece !== undefined });
}

/** The first {@link LOOK_BYTES}, or fewer if there are no more. */
async function startOf(bytes: Bytes): Promise<Buffer> {
  let start = Buffer.alloc(0);
  for await (const chunk of bytes) {
    start = Buffer.concat([start, chunk.subarray(0, LOOK_BYTES - start.length)]);
    if (start.length === LOOK_BYTES) break;
  }
  return start;
}

/** Whether a text without a mark is in UTF-16. */
function utf16Of(start: Buffer): 'UTF-16LE' | 'UTF-16BE' | null {
  let [even, odd] = [0, 0];
  for (const [index, byte] of start.entries()) {
    if (byte === 0 && index % 2 === 0) even += 1;
    else if (byte === 0) odd += 1;
  }
  const least = start.length / 2 / CHARACTERS_PER_ASCII;
  if (odd > 0 && odd >= Math.max(least, ZEROS_PER_STRAY * even)) return 'UTF-16LE';
  return even > 0 && even >= Math.max(least, ZEROS_PER_STRAY * odd) ? 'UTF-16BE' : null;
}

async function isWhole(bytes: Bytes, name: string): Promise<boolean> {
  const decoder = new TextDecoder(name, { fatal: true });
  try {
    for await (const chunk of bytes) decoder.decode(chunk, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return false;
    throw error;
  }
}

async function isMostlyUtf8(read: () => Bytes): Promise<boolean> {
  let [whole, broken] = [0, 0];
  for await (const text of linesOf(decoded(read(), { name: 'UTF-8', isBroken: true }))) {
    for (const [run] of text.replace(BY_CHANCE, '').matchAll(/[^\x00-\x7f]+/g)) {
      const lost = run.split('\ufffd').length - 1;
      // What stands beside broken bytes is whole by chance in encodings of Asia.
      if (lost === 0) whole += run.length;
      broken += lost;
    }
    if (whole + broken >= MANY_CHARACTERS) break;
  }
  return broken <= BROKEN_PER_WHOLE * whole;
}

async function isWestern(read: () => Bytes): Promise<boolean> {
  const western = new WesternText();
  for await (const text of linesOf(decoded(read(), { name: 'Windows-1252', isBroken: true }))) {
    western.add(text);
    if (western.hasEnough()) break;
  }
  return western.isPlausible();
}

/** A text in pieces that end with a line, unless a line is very long. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of text) {
    const end = Math.max(piece.lastIndexOf('\n'), piece.lastIndexOf('\r')) + 1;
    if (end === 0 && rest.length < LOOK_BYTES) {
      rest += piece;
      continue;
    }
    yield rest + piece.slice(0, end);
    rest = piece.slice(end);
  }
  yield rest;
}
