import { markedEncoding } from '../values/byte-order-mark.js';

/** A quote may be missing at either end. */
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*["']?([^\s"';,]+)/i;
/** The label of a charset in a `Content-Type`. */
export const charsetOf = (contentType: string | undefined): string | undefined =>
  contentType === undefined ? undefined : CHARSET.exec(contentType)?.[1];

/**
 * The beginning of a body as text: by its byte order mark, or else by the charset of its `Content-Type`. UTF-8 if there is
 * none, or one that nobody knows. A character that is cut off at the end is dropped.
 */
export function textOf(body: Buffer, contentType: string | undefined): string {
  if (body.length === 0) return '';
  return decoded(body, markedEncoding(body) ?? charsetOf(contentType)) ?? decoded(body) ?? '';
}

function decoded(body: Buffer, charset = 'utf-8'): string | null {
  try {
    return new TextDecoder(charset).decode(body, { stream: true });
  } catch {
    return null;
  }
}
