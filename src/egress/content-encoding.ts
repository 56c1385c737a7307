import type { IncomingHttpHeaders } from 'node:http';

/** How content is encoded on its way. */
export type Coding = 'gzip' | 'deflate' | 'br';

/** The `Accept-Encoding` of requests for media. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'br'],
]);
/** What some servers write although it leaves the bytes as they are. */
const HARMLESS = new Set(['none', 'utf-8', 'utf8', 'binary', '7bit', '8bit', 'aws-chunked']);
/** Two are what comes of a server and a proxy that both compress; more would only cost time. */
const MAX_CODINGS = 2;
/** Characters of a name that are shown. */
const MAX_SHOWN = 40;

/** What the `Content-Encoding` of a response says. */
export interface ContentEncoding {
  /** In the order in which they are decoded; empty when the content stays as it is. */
  readonly codings: readonly Coding[];
  /** What is odd about it; null when nothing is. */
  readonly oddity: string | null;
  /** Why the content cannot be decoded, as a predicate that follows a field's name; null when it can. */
  readonly refusal: string | null;
}

/** Reads the `Content-Encoding`; null when there is none. */
export function contentEncodingOf(headers: IncomingHttpHeaders): ContentEncoding | null {
  // An array when the header came twice, whatever its type says.
  const header: unknown = headers['content-encoding'];
  if (header === undefined) return null;
  const names = String(header)
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length === 0) return null;
  const unknown = names.filter((name) => !CODINGS.has(name));
  const codings = names.flatMap((name) => CODINGS.get(name) ?? []).reverse();
  const isReadable = codings.length <= MAX_CODINGS && unknown.every((name) => HARMLESS.has(name));
  return {
    codings: isReadable ? codings : [],
    oddity: oddityOf(unknown, names),
    refusal: isReadable ? null : refusalOf(names),
  };
}

/** Whether the bytes that arrive are others than those of the content. */
export const changesBytes = (encoding: ContentEncoding | null): encoding is ContentEncoding =>
  encoding !== null && (encoding.codings.length > 0 || encoding.refusal !== null);

function oddityOf(unknown: readonly string[], names: readonly string[]): string | null {
  if (unknown.length > 0) return `an unknown content encoding, "${shown(unknown)}"`;
  return names.length > MAX_CODINGS ? `more than two content encodings, "${shown(names)}"` : null;
}

const refusalOf = (names: readonly string[]): string =>
  `is encoded as ${shown(names)}, which Parley cannot decode. Have its server send it without a Content-Encoding`;

function shown(names: readonly string[]): string {
  const text = names.join(', ').replace(/[^ -~]|"/g, '?');
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
