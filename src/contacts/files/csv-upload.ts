import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { badRequest, DomainError } from '../../errors/domain-error.js';
import type { OpenRequest } from '../../http/open-requests.js';
import { plainType, receiveForm, tooLarge, uploadedBytes } from '../../http/uploaded-form.js';
import { MINUTE } from '../../values/clock.js';
import { UploadFile } from './upload-file.js';

const CSV_TYPES = ['text/csv', 'application/csv'];
/** How long an upload may take in total, milliseconds: enough for the largest file at 1 Mbit/s. */
const TOTAL_TIMEOUT_MS = 10 * MINUTE;
/** Names of what a reader of CSV files finds out by itself. */
const CHARSET = /^(?:utf-?8|us-ascii|utf-?16(?:le|be)?|(?:windows-|cp)1252|iso-8859-1|latin1)$/;

/**
 * Receives the CSV file of a request, sent as `text/csv` or as the one file of a `multipart/form-data` form.
 *
 * @param limit bytes of the whole body
 * @param open ends the upload when it must give way to one of another account
 * @throws DomainError `unsupported_media_type`, `payload_too_large`, `unavailable` when it gave way, or `bad_request`
 * when the file is missing or incomplete
 */
export async function receiveCsv(request: FastifyRequest, limit: number, open: OpenRequest): Promise<UploadFile> {
  const { body, headers } = request;
  const type = headers['content-type'] ?? '';
  const mediaType = plainType(type);
  const multipart = mediaType === 'multipart/form-data';
  if (!multipart && !CSV_TYPES.includes(mediaType)) {
    throw unsupported(`the file must be sent as multipart/form-data or text/csv (got ${type || 'no Content-Type'})`);
  }
  const charset = /;\s*charset="?([^";\s]+)/i.exec(type)?.[1]?.toLowerCase();
  if (!multipart && charset !== undefined && !CHARSET.test(charset)) {
    throw unsupported(`the file must be in UTF-8, UTF-16 or Windows-1252 (got charset=${charset})`);
  }
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  if (!(body instanceof Readable)) throw badRequest('a CSV file is required');
  const file = await UploadFile.create();
  try {
    const chunks = uploadedBytes(body, { maxBytes: limit, withinMs: TOTAL_TIMEOUT_MS }, open);
    const fill = ({ bytes }: { readonly bytes: AsyncIterable<Buffer> }) => file.fill(bytes);
    await (multipart ? receiveForm(chunks, type, fill, 'the form must contain a CSV file') : file.fill(chunks));
    return file;
  } catch (error) {
    await file.discard();
    throw error;
  }
}

const unsupported = (message: string): DomainError => new DomainError('unsupported_media_type', message);
