import { isAscii } from 'node:buffer';
import iconv from 'iconv-lite';

/** How a file writes its characters. */
export interface FileEncoding {
  readonly name: 'UTF-8' | 'UTF-16LE' | 'UTF-16BE' | 'Windows-1252';
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
const UTF_8_MARK = Buffer.of(0xef, 0xbb, 0xbf);

/**
 * Finds how a file is encoded: by its byte order mark, by the zeros that UTF-16 has in front of or behind ASCII, or by
 * whether its bytes are UTF-8. A file without a mark that has next to nothing of UTF-8 beyond ASCII is in Windows-1252, as
 * spreadsheets of Western Europe and America save it.
 *
 * @param read reads the file from its start, as often as necessary
 */
export async function encodingOf(read: () => Bytes): Promise<FileEncoding> {
  const start = await startOf(read());
  const utf16 = utf16Of(start);
  if (utf16 !== null) return { name: utf16, isBroken: !(await isWhole(read(), utf16)) };
  if (await isWhole(read(), 'UTF-8')) return { name: 'UTF-8', isBroken: false };
  const isMarked = start.subarray(0, UTF_8_MARK.length).equals(UTF_8_MARK);
  const isUtf8 = isMarked || (await isMostlyUtf8(read()));
  return { name: isUtf8 ? 'UTF-8' : 'Windows-1252', isBroken: true };
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
  if (name === 'Windows-1252') return (piece) => (piece === undefined ? '' : iconv.decode(piece, 'windows-1252'));
  const decoder = new TextDecoder(name);
  return (piece) => decoder.decode(piece, { stream: piece !== undefined });
}

/** Four bytes, or fewer if there are no more. */
async function startOf(bytes: Bytes): Promise<Buffer> {
  let start = Buffer.alloc(0);
  for await (const chunk of bytes) {
    start = Buffer.concat([start, chunk.subarray(0, 4)]);
    if (start.length >= 4) break;
  }
  return start;
}

function utf16Of(start: Buffer): 'UTF-16LE' | 'UTF-16BE' | null {
  const [first = 1, second = 1] = start;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'UTF-16LE';
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? 'UTF-16BE' : null;
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

async function isMostlyUtf8(bytes: Bytes): Promise<boolean> {
  const decoder = new TextDecoder('UTF-8');
  let [whole, broken] = [0, 0];
  for await (const chunk of bytes) {
    const text = decoder.decode(chunk, { stream: true });
    if (isAscii(chunk)) continue;
    for (const character of text.replace(BY_CHANCE, '')) {
      if (character === '\ufffd') broken += 1;
      else if (character > '\x7f') whole += 1;
    }
  }
  return broken <= BROKEN_PER_WHOLE * whole;
}
