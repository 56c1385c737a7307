import { unlabelledText } from './body-text.js';
import { plainFileName } from './file-name.js';

/** A value with its charset (RFC 8187), such as `UTF-8''M%C3%A4rz.pdf`. */
const EXTENDED = /^([^'%]{1,40})'[^']{0,40}'(.*)$/s;
/** A word of mail headers (RFC 2047), such as `=?UTF-8?Q?M=C3=A4rz?=`: charset, encoding and text. */
const ENCODED_WORD = /=\?([^?*\s]{1,40})(?:\*[^?\s]{0,40})?\?([BQ])\?([^?]*)\?=/gi;
const PERCENT_BYTE = /%([0-9a-f]{2})/gi;
const QUOTED_PRINTABLE_BYTE = /=([0-9a-f]{2})/gi;
/** How a path of Windows begins, in which a backslash is no escape. */
const WINDOWS_PATH = /^(?:[a-z]:|\.{1,2}|\\)\\/i;
const BEYOND_LATIN_1 = /[^\0-\xff]/;

/** Parameters of a header in their order, with names in lower case. */
type Parameters = readonly (readonly [name: string, value: string])[];

/**
 * The name that `Content-Disposition` gives a file (RFC 6266): without folders and characters that nobody sees. It is
 * also read as programs write it that do not know how: as raw or percent-encoded UTF-8, in Windows-1252, or in the words
 * of mail headers.
 *
 * @param header its bytes as Latin-1 text
 * @returns null when it gives no usable name
 */
export function nameInDisposition(header: string | readonly string[] | undefined): string | null {
  const parameters = [header ?? []].flat().flatMap(parametersOf);
  const names = [
    ...valuesOf(parameters, 'filename*').map(extendedValue),
    ...valuesOf(parameters, 'filename').map(plainValue),
  ];
  return names.map(plainFileName).find((name) => name !== '') ?? null;
}

const valuesOf = (parameters: Parameters, wanted: string): string[] =>
  parameters.flatMap(([name, value]) => (name === wanted ? [value] : []));

/** It need not begin with a type, and blanks or a comma may stand for a semicolon in front of a name. */
function parametersOf(header: string): Parameters {
  const parameters: [string, string][] = [];
  for (let at = 0; at < header.length; ) {
    const separator = endOf(header, at, /[;=]/g);
    if (header[separator] !== '=') {
      at = separator + 1;
      continue;
    }
    const name = header.slice(at, separator).trim().toLowerCase().split(/[\s,]/).at(-1) ?? '';
    const start = endOf(header, separator + 1, /[^ \t]/g);
    const quoted = header[start] === '"' ? quotedString(header, start + 1) : null;
    const end = endOf(header, quoted?.end ?? start, /;/g);
    // What lacks its second quote ends with the parameter. Not trimmed: `\xa0` may be half of a character in UTF-8.
    const value = quoted?.text ?? header.slice(start, end).replace(/^"/, '');
    parameters.push([name, value]);
    at = end + 1;
  }
  return parameters;
}

/** Where a global pattern is found first, or else the end. */
function endOf(text: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

/** What stands in quotes, from behind the first one; null when the second one is missing. */
function quotedString(header: string, start: number): { readonly text: string; readonly end: number } | null {
  let end = start;
  while (end < header.length && header[end] !== '"') end += header[end] === '\\' ? 2 : 1;
  if (end >= header.length) return null;
  const written = header.slice(start, end);
  const escaped = WINDOWS_PATH.test(written) ? /\\(")/g : /\\(.)/gs;
  return { text: written.replace(escaped, '$1'), end: end + 1 };
}

/** Empty if it is not in the charset that it names. */
function extendedValue(value: string): string {
  const [, charset, encoded = ''] = EXTENDED.exec(value) ?? [];
  return charset === undefined ? '' : (inCharset(bytesOf(encoded, PERCENT_BYTE), charset) ?? '');
}

function plainValue(value: string): string {
  const text = unlabelledText(bytesOf(value));
  const words = wordsDecoded(text);
  return words === text ? percentDecoded(text) : words;
}

/** A text that is not percent-encoded may have a `%`, too. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** With encoded words decoded. Blanks between two of them say nothing, and a character may be divided among them. */
function wordsDecoded(text: string): string {
  let decoded = '';
  let end = 0;
  let bytes: Buffer[] = [];
  let charset = '';
  const finishWord = (): void => {
    const whole = Buffer.concat(bytes);
    if (whole.length > 0) decoded += inCharset(whole, charset) ?? unlabelledText(whole);
    bytes = [];
  };
  for (const { 0: word, 1: label = '', 2: encoding = '', 3: written = '', index } of text.matchAll(ENCODED_WORD)) {
    const between = text.slice(end, index);
    const isNext = end > 0 && between.trim() === '';
    if (!isNext || label.toLowerCase() !== charset) finishWord();
    if (!isNext) decoded += between;
    const isBase64 = encoding.toUpperCase() === 'B';
    bytes.push(
      isBase64 ? Buffer.from(written, 'base64') : bytesOf(written.replaceAll('_', ' '), QUOTED_PRINTABLE_BYTE),
    );
    charset = label.toLowerCase();
    end = index + word.length;
  }
  finishWord();
  return decoded + text.slice(end);
}

/** Null if nobody knows the charset, or the bytes are not in it. */
function inCharset(bytes: Buffer, charset: string): string | null {
  try {
    const decoder = new TextDecoder(charset, { fatal: true });
    // In a stream: Node 20 reads Windows-1252 as Latin-1 otherwise. It must not end within a character.
    return decoder.decode(bytes, { stream: true }) + decoder.decode();
  } catch {
    return null;
  }
}

/**
 * The bytes of a text in Latin-1; in UTF-8 where it is not.
 *
 * @param encoded finds bytes that are written with two hexadecimal digits
 */
function bytesOf(text: string, encoded?: RegExp): Buffer {
  const isLatin1 = !BEYOND_LATIN_1.test(text);
  const raw = isLatin1 ? text : Buffer.from(text).toString('latin1');
  const bytes =
    encoded === undefined
      ? raw
      : raw.replace(encoded, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Buffer.from(bytes, 'latin1');
}
