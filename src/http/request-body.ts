import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { badRequest, DomainError } from '../errors/domain-error.js';
import { pause } from '../runtime/slices.js';
import { SECOND } from '../values/clock.js';
import { type BodyShare, droppedBody } from './body-budget.js';
import { foreignCharset, isWide, notInUtf8, requireJsonType } from './body-headers.js';
import { jsonFault } from './json-fault.js';
import { parseJson, parsePlainJson } from './json-text.js';

/** Milliseconds a request body may take to arrive. Uploads have their own limit. */
export const MAX_BODY_MS = 30 * SECOND;

/** Milliseconds without a byte after which a body may be dropped for another that needs its memory. */
export const SILENT_MS = SECOND;

const tooLarge = (limit: number): DomainError =>
  new DomainError('payload_too_large', `the request body must be at most ${limit} bytes`);

/** Closes the connection with the answer, because the client may still be sending. */
const tooSlow = (ms: number): DomainError =>
  new DomainError('request_timeout', `the request body must arrive within ${ms / SECOND} seconds`, {
    headers: { connection: 'close' },
  });

/** The limits of a body while it is read. */
export interface BodyReadOptions {
  /** Counts the body's memory. The caller that opened the share releases it. */
  readonly share?: BodyShare;
  /** Milliseconds within which the body must be complete. */
  readonly withinMs?: number;
}

/**
 * Reads the whole body. The rest of a refused body is read and dropped, so that the answer still reaches the client.
 *
 * @param limit bytes; more is a 413 before the rest is read
 * @throws DomainError `payload_too_large`, `request_timeout`, or `unavailable` when the budget is used up, or the body
 *   stalls while others need its share of it
 */
export async function readBody(
  request: Pick<FastifyRequest, 'body' | 'headers'>,
  limit: number,
  { share, withinMs = MAX_BODY_MS }: BodyReadOptions = {},
): Promise<Buffer> {
  const stream = request.body;
  if (!(stream instanceof Readable)) return Buffer.alloc(0);
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limit) throw tooLarge(limit);
  share?.expect(announced);
  const body = new GrowingBody(announced || limit, share);
  return new Promise<Buffer>((resolve, reject) => {
    const late = setTimeout(() => settle(() => reject(tooSlow(withinMs))), withinMs);
    const listen = () =>
      share && setTimeout(() => share.fallSilent(() => settle(() => reject(droppedBody()))), SILENT_MS);
    let silence = listen();
    let isSettled = false;
    const settle = (outcome: () => void): void => {
      // Every stream closes after its end: an error made then would cost each request a stack trace.
      if (isSettled) return;
      isSettled = true;
      clearTimeout(late);
      clearTimeout(silence);
      share?.speak();
      // Without a listener the stream keeps flowing and drops the rest.
      stream.off('data', take);
      outcome();
      body.drop();
    };
    const take = (chunk: Buffer): void => {
      clearTimeout(silence);
      share?.speak();
      silence = listen();
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
 * The whole body if it has arrived, as that of nearly every small request has by the time the guards have passed; null
 * otherwise.
 *
 * @param limit bytes
 */
export function arrivedBody({ body, headers }: Pick<FastifyRequest, 'body' | 'headers'>, limit: number): Buffer | null {
  if (!(body instanceof Readable) || body.readableLength === 0 || body.readableLength > limit) return null;
  if (body.readableLength !== Number(headers['content-length'])) return null;
  return body.read() as Buffer | null;
}

/**
 * The bytes of a body received so far, in one buffer. Kept as chunks, a million one-byte chunks would take a hundred
 * times their size.
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
 * Closes the connection of a request that was answered before its body had arrived, unless the rest arrives in time.
 * Node.js reads and drops the rest, so that the connection can be reused.
 */
export function limitUnreadBody(request: IncomingMessage, withinMs = MAX_BODY_MS): void {
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
/** Escapes that may produce a NUL or a lone surrogate. Strings are checked only if the body contains one. */
const SUSPECT = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * Parses a JSON body. Refuses text that PostgreSQL cannot store (NUL characters, lone surrogates, invalid UTF-8) and
 * keys that reach an object's prototype.
 *
 * @param longList the field that may be a list of thousands of objects
 * @returns undefined when there is no body, or one of white space only
 * @throws DomainError `bad_request` or `unsupported_media_type`
 */
export async function parseJsonBody(
  bytes: Buffer,
  contentType: string | undefined,
  longList: string | null,
): Promise<unknown> {
  if (isWhiteSpace(bytes)) return undefined;
  requireJsonType(contentType);
  const text = decoded(bytes, foreignCharset(contentType));
  let body = parsePlainJson(text);
  if (body !== undefined) return body;
  try {
    body = await parseJson(text, longList);
  } catch (error) {
    if (error instanceof DomainError) throw error;
    // The error's own message quotes the body, which may hold a password or a code.
    throw badRequest(`the request body is not valid JSON: ${(await jsonFault(text)) ?? 'it cannot be read'}`);
  }
  await refuseUnusable(body, SUSPECT.test(text));
  return body;
}

const MARK = Buffer.from('\ufeff');

/** Whether there is nothing but white space as JSON has it, after a byte order mark. */
function isWhiteSpace(bytes: Buffer): boolean {
  let at = bytes.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0;
  while (at < bytes.length && WHITE_SPACE.has(bytes[at] ?? 0)) at += 1;
  return at === bytes.length;
}

const WHITE_SPACE: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n'));

/** @param charset that was announced instead of UTF-8: its letters may be the same */
function decoded(bytes: Buffer, charset: string | null): string {
  if (charset !== null && isWide(charset)) throw notInUtf8(charset);
  try {
    return decoder.decode(bytes);
  } catch {
    throw charset === null ? badRequest('the request body is not valid UTF-8') : notInUtf8(charset);
  }
}

/** Keys that reach an object's prototype and break the libraries that validate and copy bodies. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

/** Values that are looked at before other work gets its turn. */
const VALUES_PER_LOOK = 256;

/**
 * Walks a parsed body and refuses forbidden keys and, if `suspect`, strings and keys that PostgreSQL
 * cannot store. Iterative, so that nesting cannot exhaust the stack.
 */
async function refuseUnusable(body: unknown, suspect: boolean): Promise<void> {
  const open: { value: unknown; path: string }[] = [{ value: body, path: '' }];
  let walked = 0;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    walked += 1;
    if (walked % VALUES_PER_LOOK === 0) await pause();
    const { value, path } = node;
    if (typeof value === 'string') {
      if (suspect) refuseUnstorable(value, path);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        if (FORBIDDEN_KEYS.has(key)) throw badRequest(`${path || 'the request body'} must not have the key "${key}"`);
        if (suspect) refuseUnstorable(key, `a key of ${path || 'the body'}`);
        open.push({
          value: item,
          path: Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`,
        });
      }
    }
  }
}

function refuseUnstorable(text: string, path: string): void {
  if (text.includes('\u0000')) throw badRequest(`${path || 'the body'} must not contain NUL characters`);
  if (!text.isWellFormed()) throw badRequest(`${path || 'the body'} must not contain lone surrogates`);
}
