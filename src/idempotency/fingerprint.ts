import { createHash } from 'node:crypto';

/** The request that a key identifies. The same key with another payload is refused. */
export interface KeyedPayload {
  readonly method: string;
  /** As requested; the query and a trailing slash are ignored. */
  readonly url: string;
  /** Parsed JSON as sent, unknown fields included; undefined without a body. */
  readonly body: unknown;
}

/** SHA-256 of method, path and parsed JSON. Key order and white space don't matter. */
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

/** JSON with sorted keys. The recursion is safe because request-body.ts limits the nesting of bodies. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`);
  return `{${fields.join(',')}}`;
}
