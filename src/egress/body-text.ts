import { markedEncoding } from '../values/byte-order-mark.js';

/** A quote may be missing at either end. */
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*["']?([^\s"';,]+)/i;
/** Labels that servers use and browsers do not know. */
const ALIASES: Readonly<Record<string, string>> = { cp949: 'euc-kr', ms949: 'euc-kr', cp932: 'shift_jis' };

/** The label of a charset in a `Content-Type`. */
export function charsetOf(contentType: string | undefined): string | undefined {
  const label = contentType === undefined ? undefined : CHARSET.exec(contentType)?.[1];
  return label === undefined ? undefined : (ALIASES[label.toLowerCase()] ?? label);
}

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
