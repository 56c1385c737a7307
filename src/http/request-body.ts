import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { badRequest, DomainError } from '../errors/domain-error.js';
import { SECOND } from '../values/clock.js';
import type { BodyShare } from './body-budget.js';

/** How long the body of a request may take to arrive, milliseconds. An upload is measured by its reader. */
export const MAX_BODY_MS = 30 * SECOND;

const tooLarge = (limit: number): DomainError =>
  new DomainError('payload_too_large', `the request body must be at most ${limit} bytes`);

/** The connection ends with the answer: the client may still be sending. */
const tooSlow = (ms: number): DomainError =>
  new DomainError('request_timeout', `the request body must arrive within ${ms / SECOND} seconds`, {
    headers: { connection: 'close' },
  });

/** What a body may cost while it is read. */
export interface BodyTerms {
  /** Where its memory is counted; whoever opened the share releases it. */
  readonly share?: BodyShare;
  /** Milliseconds until it must be complete. */
  readonly withinMs?: number;
}

/**
 * Reads the whole body. One that is refused meanwhile is read on and dropped, so that the answer still reaches the caller.
 *
 * @param limit bytes; more is a 413 before the rest is read
 * @throws DomainError `payload_too_large`, `request_timeout`, or `unavailable` when its share is used up
 */
export async function readBody(
  request: Pick<FastifyRequest, 'body' | 'headers'>,
  limit: number,
  { share, withinMs = MAX_BODY_MS }: BodyTerms = {},
): Promise<Buffer> {
  const stream = request.body;
  if (!(stream instanceof Readable)) return Buffer.alloc(0);
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limit) throw tooLarge(limit);
  share?.expect(announced);
  const body = new GrowingBody(announced || limit, share);
  return new Promise<Buffer>((resolve, reject) => {
    const late = setTimeout(() => settle(() => reject(tooSlow(withinMs))), withinMs);
    const settle = (outcome: () => void): void => {
      clearTimeout(late);
      // The stream flows on without a listener, which drops what is still to come.
      stream.off('data', take);
      outcome();
      body.drop();
    };
    const take = (chunk: Buffer): void => {
      try {
        if (body.size + chunk.length > limit) throw tooLarge(limit);
        body.add(chunk);
      } catch (error) {
        settle(() => reject(error));
      }
    };
    stream.on('data', take);
    stream.once('end', () => settle(() => resolve(body.bytes())));
    stream.once('error', (error) => settle(() => reject(error)));
    stream.once('close', () => settle(() => reject(badRequest('the request ended before its body did'))));
  });
}

/**
 * A body as far as it has come, in one piece of memory: kept apart, a million chunks of one byte would take a hundred
 * times their length.
 */
class GrowingBody {
  private memory = Buffer.alloc(0);
  size = 0;

  constructor(
    private readonly max: number,
    private readonly share: BodyShare | undefined,
  ) {}

  add(chunk: Buffer): void {
    const size = this.size + chunk.length;
    if (size > this.memory.length) {
      const capacity = Math.max(size, Math.min(this.max, 2 * this.memory.length));
      this.share?.resize(capacity);
      const grown = Buffer.allocUnsafe(capacity);
      this.memory.copy(grown, 0, 0, this.size);
      this.memory = grown;
    }
    chunk.copy(this.memory, this.size);
    this.size = size;
  }

  bytes(): Buffer {
    return this.memory.subarray(0, this.size);
  }

  drop(): void {
    this.memory = Buffer.alloc(0);
  }
}

/**
 * Closes the connection of a request that was answered before its body had come, unless the rest comes in time. Node.js
 * reads and drops that rest, so that the connection can be used again.
 */
export function limitRest(request: IncomingMessage, withinMs = MAX_BODY_MS): void {
  if (request.complete || request.destroyed) return;
  const late = setTimeout(() => {
    if (!request.complete) request.destroy();
  }, withinMs);
  late.unref();
  const settle = () => clearTimeout(late);
  request.once('end', settle);
  request.once('close', settle);
}

const decoder = new TextDecoder('utf-8', { fatal: true });
/** Escapes that may spell a NUL or a lone surrogate; only then is the parsed body walked. */
const SUSPECT = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * Parses a JSON body. Nothing that PostgreSQL could not store gets past: NUL characters, lone surrogates and bytes that
 * are no UTF-8 are 400, and so are keys that reach an object's prototype.
 *
 * @returns undefined when there is no body
 */
export function parseJsonBody(bytes: Buffer, contentType: string | undefined): unknown {
  if (bytes.length === 0) return undefined;
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json' && !type?.endsWith('+json')) {
    const found = contentType === undefined ? 'no Content-Type' : `Content-Type ${contentType}`;
    throw new DomainError('unsupported_media_type', `the body must be sent as application/json (got ${found})`);
  }
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw badRequest('the request body is not valid UTF-8');
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw badRequest(`the request body is not valid JSON: ${(error as Error).message}`);
  }
  refuseUnusable(body, SUSPECT.test(text));
  return body;
}

/** Keys that reach the prototype of an object, which the libraries that check and copy bodies trip over. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

/** Objects and arrays inside one another; no body of ours needs more than a handful. */
const DEEPEST = 32;

/**
 * Walks a parsed body and refuses what could not be handled further: deep nesting, forbidden keys and, where `suspect`,
 * strings (also as keys) that cannot be stored as text. Iterative, so that nesting cannot exhaust the stack.
 */
function refuseUnusable(body: unknown, suspect: boolean): void {
  const open: { value: unknown; path: string; depth: number }[] = [{ value: body, path: '', depth: 0 }];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { value, path, depth } = node;
    if (typeof value === 'string') {
      if (suspect) refuseUnstorable(value, path);
    } else if (typeof value === 'object' && value !== null) {
      if (depth >= DEEPEST) throw badRequest(`the request body must be nested at most ${DEEPEST} levels deep`);
      for (const [key, item] of Object.entries(value)) {
        if (FORBIDDEN_KEYS.has(key)) throw badRequest(`${path || 'the request body'} must not have the key "${key}"`);
        if (suspect) refuseUnstorable(key, `a key of ${path || 'the body'}`);
        open.push({ value: item, path: path === '' ? key : `${path}.${key}`, depth: depth + 1 });
      }
    }
  }
}

function refuseUnstorable(text: string, path: string): void {
  if (text.includes('\u0000')) throw badRequest(`${path || 'the body'} must not contain NUL characters`);
  if (!text.isWellFormed()) throw badRequest(`${path || 'the body'} must not contain lone surrogates`);
}
