import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { badRequest, DomainError } from '../../errors/domain-error.js';
import { MINUTE, SECOND } from '../../values/clock.js';
import { UploadFile } from './upload-file.js';

const CSV_TYPES = ['text/csv', 'application/csv'];
/** How long an upload may stall, milliseconds. */
const IDLE_TIMEOUT_MS = 30 * SECOND;
/** How long an upload may take in total, milliseconds: enough for the largest file at 1 Mbit/s. */
const TOTAL_TIMEOUT_MS = 10 * MINUTE;
const UTF_8 = ['utf-8', 'utf8', 'us-ascii'];

/**
 * Receives the CSV file of a request, sent as `text/csv` or as the one file of a `multipart/form-data` form.
 *
 * @param limit bytes of the whole body
 * @throws DomainError `unsupported_media_type`, `payload_too_large`, or `bad_request` when the file is missing or
 * incomplete
 */
export async function receiveCsv(request: FastifyRequest, limit: number): Promise<UploadFile> {
  const { body, headers } = request;
  const type = headers['content-type'] ?? '';
  const mediaType = type.split(';')[0]?.trim().toLowerCase() ?? '';
  const multipart = mediaType === 'multipart/form-data';
  if (!multipart && !CSV_TYPES.includes(mediaType)) {
    throw unsupported(`the file must be sent as multipart/form-data or text/csv (got ${type || 'no Content-Type'})`);
  }
  const charset = /;\s*charset="?([^";\s]+)/i.exec(type)?.[1]?.toLowerCase();
  if (!multipart && charset !== undefined && !UTF_8.includes(charset)) {
    throw unsupported(`the file must be in UTF-8 (got charset=${charset})`);
  }
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  if (!(body instanceof Readable)) throw badRequest('a CSV file is required');
  const file = await UploadFile.create();
  try {
    const chunks = limited(body, limit);
    await (multipart ? fillFromForm(file, chunks, type) : file.fill(chunks));
    return file;
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/**
 * Yields the body's bytes up to the limit. If the consumer stops early, the connection stays open for the response, and
 * the rest of the body is read and dropped: otherwise the connection could not serve its next request.
 */
async function* limited(body: Readable, limit: number): AsyncGenerator<Buffer> {
  let size = 0;
  const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  // These close the connection too: a client that stalls or drips would not read a response.
  const totalTimer = setTimeout(() => body.destroy(), TOTAL_TIMEOUT_MS);
  try {
    for (;;) {
      const idleTimer = setTimeout(() => body.destroy(), IDLE_TIMEOUT_MS);
      const { value, done } = await chunks
        .next()
        .catch(() => {
          throw badRequest('the upload was cut short');
        })
        .finally(() => clearTimeout(idleTimer));
      if (done) return;
      size += value.length;
      if (size > limit) throw tooLarge(limit);
      yield value;
    }
  } finally {
    clearTimeout(totalTimer);
    await chunks.return?.();
    body.resume();
  }
}

async function fillFromForm(file: UploadFile, chunks: AsyncIterable<Buffer>, contentType: string): Promise<void> {
  const form = openForm(contentType);
  let part: BusboyFileStream | undefined;
  let filled: Promise<void> | undefined;
  form.on('file', (_field, stream) => {
    part = stream;
    filled = file.fill(stream);
    // Without this, a write error such as a full disk would leave the form waiting forever.
    filled.catch((error: Error) => form.destroy(error));
  });
  form.on('filesLimit', () => form.destroy(badRequest('the form must contain only one file')));
  try {
    await pipeline(chunks, form);
    await filled;
  } catch (error) {
    part?.destroy();
    throw error instanceof DomainError || isSystemError(error) ? error : brokenForm(error);
  }
  if (filled === undefined) throw badRequest('the form must contain a CSV file');
}

function openForm(contentType: string) {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: { files: 1, fields: 20, fieldSize: 1024 } });
  } catch (error) {
    throw brokenForm(error);
  }
}

const isSystemError = (error: unknown): boolean => (error as NodeJS.ErrnoException)?.syscall !== undefined;
const brokenForm = (error: unknown): DomainError =>
  badRequest(`the form is not valid multipart/form-data: ${error instanceof Error ? error.message : String(error)}`);
const tooLarge = (limit: number): DomainError =>
  new DomainError('payload_too_large', `the request body must be at most ${limit} bytes`);
const unsupported = (message: string): DomainError => new DomainError('unsupported_media_type', message);
