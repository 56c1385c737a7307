import { urlOrNull } from './parse-url.js';
import { isUnseen, quoted } from './shown-text.js';

/**
 * A character that RFC 3986 allows nowhere in path, query and fragment of a URL, and `#`, which may begin the fragment: a
 * second one may not stand in it. A `%` must begin the code of a byte.
 */
const UNFIT = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]/gu;

/** A percent-encoded character in UTF-8, other than NUL: of one byte, or two, three or four, in their shortest form only. */
const ENCODED =
  /(%(?:0[1-9A-F]|[1-7][0-9A-F]|(?:C[2-9A-F]|D[0-9A-F]|(?:E0%[AB]|ED%[89]|E[1-9A-CEF]%[89AB]|(?:F0%[9AB]|F4%8|F[1-3]%[89AB])[0-9A-F]%[89AB])[0-9A-F])%[89AB][0-9A-F]))/gi;

/** A text without percent-encoding, as far as that encodes characters; `percent_decoded` in the database does the same. */
export const percentDecoded = (text: string): string => text.replace(ENCODED, (found) => decodeURIComponent(found));

/**
 * Replaces what a pattern finds in a text without its percent-encoding. The rest stays encoded as it is.
 *
 * @param pattern a global one
 * @param replacement gets the characters of a find as the text has them, encoded or not
 */
export function replaceDecoded(
  text: string,
  pattern: RegExp,
  replacement: (characters: readonly string[]) => string,
): string {
  // For each UTF-16 unit of the decoded text what the text has; nothing for the second one of a character.
  const written = text
    .split(ENCODED)
    .flatMap((piece, at) =>
      at % 2 === 0 ? piece.split('') : percentDecoded(piece).length === 1 ? [piece] : [piece, ''],
    );
  let replaced = '';
  let end = 0;
  for (const { 0: found, index } of percentDecoded(text).matchAll(pattern)) {
    const start = end;
    end = index + found.length;
    replaced += written.slice(start, index).join('') + replacement(written.slice(index, end));
  }
  return replaced + written.slice(end).join('');
}

/** The bytes of a character in UTF-8, percent-encoded; half a surrogate pair counts as U+FFFD. */
const percentEncoded = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/**
 * What completes a URL, with everything percent-encoded that must not stand in one. What is encoded already stays, and so
 * does the first `#`, unless `base`, the URL before it, has one.
 */
export function encodeUrlSuffix(suffix: string, base: string): string {
  let hasFragment = base.includes('#');
  return suffix.replace(UNFIT, (character) => {
    if (character !== '#' || hasFragment) return percentEncoded(character);
    hasFragment = true;
    return character;
  });
}

/** Quotes and brackets that a URL stands in when it was copied with them. */
const WRAPPING = /^["'`“”„‘’‚«»‹›<([{]$/;
/** Characters of a message that show what stands at an end of a URL. */
const MAX_EDGE = 8;

/**
 * What is wrong with a URL that was copied with something before or behind it: blanks, line ends, characters that nobody
 * sees, an opening quote or bracket. Null if it was not.
 */
export function edgeFault(url: string): string | null {
  const characters = [...url];
  const scheme = [...url.slice(0, Math.max(0, url.search(/https?:\/\//i)))].length;
  let start = 0;
  while (start < characters.length && isBefore(characters[start] ?? '', start < scheme)) start += 1;
  if (start > 0) return edge('begin', characters.slice(0, start));
  let end = characters.length;
  while (end > 0 && isUnseen(characters[end - 1] ?? '')) end -= 1;
  return end < characters.length ? edge('end', characters.slice(end)) : null;
}

const isBefore = (character: string, isWrapped: boolean): boolean =>
  isUnseen(character) || (isWrapped && WRAPPING.test(character));

const edge = (where: 'begin' | 'end', found: readonly string[]): string =>
  `must not ${where} with ${quoted(found.slice(0, MAX_EDGE).join(''))}: remove it`;

/**
 * What is wrong with a URL that has a character which must not stand in one, naming the first of them and what to write
 * instead; null if it has none. An IPv6 address stands in brackets, which are no fault.
 */
export function encodingFault(url: string): string | null {
  const [start = ''] = /^https?:\/\/[^/?#]*/i.exec(url) ?? [];
  const ascii = urlOrNull(url)?.host ?? null;
  const host = ascii === null ? '' : start.slice(Math.max(start.lastIndexOf('/'), start.lastIndexOf('@')) + 1);
  const inHost = host.match(UNFIT)?.find((character) => ascii?.includes(character) === false);
  // The names of hosts have an encoding of their own.
  if (inHost !== undefined) return `must have its host without ${quoted(inHost)}, as ${ascii}`;
  const found: string[] = (start.slice(0, start.length - host.length) + url.slice(start.length)).match(UNFIT) ?? [];
  const fragment = found.indexOf('#');
  const unfit = found.find((_, index) => index !== fragment);
  return unfit === undefined ? null : `must have ${quoted(unfit)} percent-encoded, as ${percentEncoded(unfit)}`;
}
