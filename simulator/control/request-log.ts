import type { IncomingMessage } from 'node:http';
import { jsonOr } from '../exchange.js';
import { isObject } from '../json-object.js';

const KEPT = 1000;
/** Longer bodies are uploads, and their beginning is enough. */
const BODY_LENGTH = 65_536;

interface LoggedRequest {
  at: number;
  method: string;
  path: string;
  rawHeaders: string[];
  body: string;
}

/** `rawHeaders` as an object with lower-case names. */
function headersOf(rawHeaders: string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    headers[String(rawHeaders[i]).toLowerCase()] = rawHeaders[i + 1] ?? '';
  return headers;
}

/**
 * What a call to `/messages` is called that sends nothing: `read` marks a message as read, `typing` also shows that an
 * answer is being written. Null for every other call.
 */
function nameOf({ method, path, body }: LoggedRequest): 'read' | 'typing' | null {
  if (method !== 'POST' || !/\/messages(?:\?|$)/.test(path)) return null;
  const message = jsonOr(body);
  if (!isObject(message) || message.status === undefined) return null;
  return message.typing_indicator === undefined ? 'read' : 'typing';
}

/** Keeps the last 1000 Graph calls in memory, for `GET /_sim/requests`. */
export class RequestLog {
  private entries: LoggedRequest[] = [];
  private next = 0;

  record({ method = '', url = '', rawHeaders }: IncomingMessage, body: string): void {
    this.entries[this.next] = { at: Date.now(), method, path: url, rawHeaders, body: body.slice(0, BODY_LENGTH) };
    this.next = (this.next + 1) % KEPT;
  }

  /** The newest `limit` calls, newest first; `path` includes the query. */
  newest(limit: number): object[] {
    const { entries, next } = this;
    const inOrder = entries.length < KEPT ? entries : [...entries.slice(next), ...entries.slice(0, next)];
    return inOrder
      .slice(-limit)
      .reverse()
      .map((request) => ({
        at: new Date(request.at).toISOString(),
        name: nameOf(request),
        method: request.method,
        path: request.path,
        headers: headersOf(request.rawHeaders),
        body: request.body,
      }));
  }

  reset(): void {
    this.entries = [];
    this.next = 0;
  }
}
