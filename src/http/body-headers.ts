import type { FastifyRequest } from 'fastify';
import { DomainError } from '../errors/domain-error.js';
import { shownText } from '../values/shown-text.js';

// How a body was sent, as far as its headers say.

const unsupported = (message: string): DomainError => new DomainError('unsupported_media_type', message);

/** @throws DomainError `unsupported_media_type` for a body that is compressed, or coded in another way */
export function requirePlainBody({ headers }: Pick<FastifyRequest, 'headers'>): void {
  const coding = headers['content-encoding']?.trim() ?? '';
  if (coding === '' || coding.toLowerCase() === 'identity') return;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (hasBody) throw unsupported(`the body must be sent without Content-Encoding (got ${shownText(coding)})`);
}

/** @throws DomainError `unsupported_media_type` for what is not announced as JSON */
export function requireJsonType(contentType: string | undefined): void {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json' || type?.endsWith('+json') === true) return;
  const found = contentType === undefined ? 'no Content-Type' : `Content-Type ${contentType}`;
  throw unsupported(`the body must be sent as application/json (got ${found})`);
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;
/** UTF-8, and what is part of it. */
const UTF_8 = /^(?:utf-?8|us-ascii|ascii)$/i;
/** Encodings whose bytes may be valid UTF-8 and mean something else. */
const WIDE = /^(?:utf-?(?:16|32)|ucs-?[24]|iso-10646)/i;

/** The encoding that a body is announced in; null for UTF-8, and for none. */
export function foreignCharset(contentType: string | undefined): string | null {
  const charset = CHARSET.exec(contentType ?? '')?.[1] ?? null;
  return charset === null || UTF_8.test(charset) ? null : charset;
}

/** Whether a text in this encoding is never one in UTF-8. */
export const isWide = (charset: string): boolean => WIDE.test(charset);

export const notInUtf8 = (charset: string): DomainError =>
  unsupported(`the body must be sent in UTF-8 (got charset ${shownText(charset)})`);
