import type { IncomingMessage } from 'node:http';
import { ControlError } from './control/control-error.js';
import { GraphError } from './graph-error.js';
import { isObject, type JsonObject } from './json-object.js';

/** The network accepts no JSON longer than this. */
const TEXT_BYTES = 1024 * 1024;

/** An answer that is not JSON. */
export interface BytesAnswer {
  status: number;
  headers: Record<string, string>;
  /** The body in pieces, made as they are sent; `signal` says that nobody waits for them any more. */
  body(signal: AbortSignal): Iterable<Buffer> | AsyncIterable<Buffer>;
}

/** What to send back: JSON, bytes, or a connection reset. */
export type Answer = { status: number; json: unknown; headers?: Record<string, string> } | BytesAnswer | 'reset';

/** One request with its whole body. */
export class Exchange {
  private readonly address: string;
  private parameters: URLSearchParams | undefined;
  private decoded: string | undefined;

  constructor(
    readonly request: IncomingMessage,
    readonly body: Buffer,
  ) {
    this.address = request.url ?? '/';
  }

  get method(): string {
    return this.request.method ?? 'GET';
  }

  /** The body as text, cut off after 1 MiB. */
  get text(): string {
    this.decoded ??= this.body.toString('utf8', 0, Math.min(this.body.length, TEXT_BYTES));
    return this.decoded;
  }

  /** The path as sent, without the query. */
  get path(): string {
    const query = this.address.indexOf('?');
    return query === -1 ? this.address : this.address.slice(0, query);
  }

  get query(): URLSearchParams {
    const start = this.address.indexOf('?');
    this.parameters ??= new URLSearchParams(start === -1 ? '' : this.address.slice(start));
    return this.parameters;
  }

  /** The body of a Graph call; anything but a JSON object is rejected with code 100. */
  graphJson(): JsonObject {
    const parsed = this.isForm() ? this.formFields() : this.parsed(this.text);
    if (parsed === undefined) throw new GraphError(100, 'The request body must be a JSON object');
    const product = this.query.get('messaging_product');
    return product === null ? parsed : { messaging_product: product, ...parsed };
  }

  /** The body of a control call; an empty body counts as `{}`. */
  controlJson(): JsonObject {
    if (this.body.length === 0) return {};
    // Files in control calls make them longer than any call of the network.
    const parsed = this.parsed(this.body.length > TEXT_BYTES ? this.body.toString('utf8') : this.text);
    if (parsed === undefined) throw new ControlError('the body must be a JSON object');
    return parsed;
  }

  /** The `limit` parameter of the query, capped at `max`. */
  limit(defaultLimit: number, max: number): number {
    const given = this.query.get('limit');
    if (given === null) return defaultLimit;
    const limit = Number(given);
    if (!Number.isInteger(limit) || limit < 1) throw new ControlError('limit must be a whole number of at least 1');
    return Math.min(limit, max);
  }

  private isForm(): boolean {
    return (this.request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
  }

  /** The fields of a form; what looks like JSON is read as such. */
  private formFields(): JsonObject {
    return Object.fromEntries([...new URLSearchParams(this.text)].map(([name, value]) => [name, jsonOr(value)]));
  }

  private parsed(text: string): JsonObject | undefined {
    try {
      const value: unknown = JSON.parse(text);
      return isObject(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }
}

/** The array or object that a text holds; other texts stay as they are. */
export function jsonOr(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
