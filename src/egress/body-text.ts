import { isUtf8 } from 'node:buffer';
import { markedEncoding } from '../values/byte-order-mark.js';

/** A quote may be missing at either end. */
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*["']?([^\s"';,]+)/i;
/** Labels that servers use and browsers do not know. */
const ALIASES: Readonly<Record<string, string>> = { cp949: 'euc-kr', ms949: 'euc-kr', cp932: 'shift_jis' };

/** What text is in that is not UTF-8 and does not say so. */
const WESTERN = 'windows-1252';

/** The label of a charset in a `Content-Type`. */
export function charsetOf(contentType: string | undefined): string | undefined {
  const label = contentType === undefined ? undefined : CHARSET.exec(contentType)?.[1];
  return label === undefined ? undefined : (ALIASES[label.toLowerCase()] ?? label);
}

/**
 * The beginning of a body as text: by its byte order mark, or else by the charset of its `Content-Type`. If there is none,
 * or one that nobody knows, it is UTF-8 where it is valid, and Windows-1252 otherwise. A character that is cut off at the
 * end is dropped.
 */
export function textOf(body: Buffer, contentType: string | undefined): string {
  if (body.length === 0) return '';
  const charset = markedEncoding(body) ?? charsetOf(contentType);
  const text = charset === undefined ? null : decoded(body, charset);
  return text ?? decoded(body, 'utf-8', { fatal: true }) ?? decoded(body, WESTERN) ?? '';
}

/** Bytes whose charset nobody named as text: UTF-8 where they are valid, and Windows-1252 otherwise. */
export const unlabelledText = (bytes: Buffer): string =>
  isUtf8(bytes) ? bytes.toString() : (decoded(bytes, WESTERN) ?? '');

/**
 * Null if nobody knows the charset, or, if that is fatal, if the bytes are not in it. In a stream: Node 20 reads
 * Windows-1252 as Latin-1 otherwise.
 */
function decoded(body: Buffer, charset: string, options: { readonly fatal?: boolean } = {}): string | null {
  try {
    return new TextDecoder(charset, options).decode(body, { stream: true });
  } catch {
    return null;
  }
}
