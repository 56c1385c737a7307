import { createHash } from 'node:crypto';
import { pause } from '../runtime/slices.js';

/** Entries of the lists in a body are fingerprinted one by one. */
const SPLIT_DEPTH = 2;

/** The request that a key identifies. The same key with another payload is refused. */
export interface KeyedPayload {
  readonly method: string;
  /** As requested; the query and a trailing slash are ignored. */
  readonly url: string;
  /** Parsed JSON as sent, unknown fields included; undefined without a body. */
  readonly body: unknown;
}

/**
 * SHA-256 of method, path and parsed JSON. Key order and white space don't matter. It is never stored as it is: a short
 * code in a body could be guessed from it.
 */
export async function fingerprintOf({ method, url, body }: KeyedPayload): Promise<Buffer> {
  const hash = createHash('sha256').update(`${method}\n${pathOf(url)}\n`);
  if (body !== undefined) {
    for (const piece of canonicalPieces(body, 0)) {
      hash.update(piece);
      await pause();
    }
  }
  return hash.digest();
}

/** The path of a URL, without a trailing slash. */
export function pathOf(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** {@link canonicalJson} in pieces: an object's fields and their list entries are separate, whatever is below is not. */
function* canonicalPieces(value: unknown, depth: number): Generator<string> {
  if (typeof value !== 'object' || value === null || depth === SPLIT_DEPTH) {
    yield canonicalJson(value);
  } else if (Array.isArray(value)) {
    yield '[';
    for (const [index, item] of value.entries()) {
      if (index > 0) yield ',';
      yield* canonicalPieces(item, depth + 1);
    }
    yield ']';
  } else {
    yield '{';
    for (const [index, [key, item]] of sortedFields(value).entries()) {
      yield `${index > 0 ? ',' : ''}${JSON.stringify(key)}:`;
      yield* canonicalPieces(item, depth + 1);
    }
    yield '}';
  }
}

const sortedFields = (value: object): [string, unknown][] => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));

/** JSON with sorted keys. The recursion is safe because json-text.ts limits the nesting of bodies. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = sortedFields(value).map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`);
  return `{${fields.join(',')}}`;
}
