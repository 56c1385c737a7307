import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import secureJsonParse from 'secure-json-parse';
import { badRequest, DomainError } from '../errors/domain-error.js';

const tooLarge = (limit: number): DomainError =>
  new DomainError('payload_too_large', `the request body must be at most ${limit} bytes`);

/**
 * Reads the whole body.
 *
 * @param limit bytes; more is a 413 before the rest is read
 */
export async function readBody(request: FastifyRequest, limit: number): Promise<Buffer> {
  const stream = request.body;
  if (!(stream instanceof Readable)) return Buffer.alloc(0);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // The rest is read and dropped, so that the answer still reaches the caller.
      if (size > limit) reject(tooLarge(limit));
      else chunks.push(chunk);
    });
    stream.once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    stream.once('error', reject);
    stream.once('close', () => {
      if (!stream.readableEnded) reject(badRequest('the request ended before its body did'));
    });
  });
}

const decoder = new TextDecoder('utf-8', { fatal: true });
/** Escapes that may spell a NUL or a lone surrogate; only then is the parsed body walked. */
const SUSPECT = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * Parses a JSON body. Nothing that PostgreSQL could not store gets past: NUL characters, lone surrogates and bytes that
 * are no UTF-8 are 400.
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
    body = secureJsonParse.parse(text, null, { protoAction: 'remove', constructorAction: 'remove' });
  } catch (error) {
    throw badRequest(`the request body is not valid JSON: ${(error as Error).message}`);
  }
  refuseUnusable(body, SUSPECT.test(text));
  return body;
}

/** Objects and arrays inside one another; no body of ours needs more than a handful. */
const DEEPEST = 32;

/**
 * Walks a parsed body and refuses what could not be handled further: deep nesting and, where `suspect`, strings (also
 * as keys) that cannot be stored as text. Iterative, so that nesting cannot exhaust the stack.
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
