import { createHash } from 'node:crypto';

/** What a key stands for: the same key with another payload is refused. */
export interface KeyedPayload {
  readonly method: string;
  /** As it was requested; query and trailing slash do not matter. */
  readonly url: string;
  /** Parsed JSON as it was sent, unknown fields included; undefined when there was no body. */
  readonly body: unknown;
}

/** SHA-256 over method, path and parsed JSON, in which neither the order of keys nor white space matters. */
export function fingerprintOf({ method, url, body }: KeyedPayload): Buffer {
  return createHash('sha256')
    .update(`${method}\n${pathOf(url)}\n`)
    .update(body === undefined ? '' : canonicalJson(body))
    .digest();
}

function pathOf(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** JSON with the keys of every object in order; the nesting of bodies is limited before (request-body.ts). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`);
  return `{${fields.join(',')}}`;
}
