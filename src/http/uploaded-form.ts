import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { badRequest, DomainError } from '../errors/domain-error.js';
import { SECOND } from '../values/clock.js';
import type { OpenRequest } from './open-requests.js';

/** How long an upload may stall, milliseconds. */
const IDLE_TIMEOUT_MS = 30 * SECOND;

/** The limits of an upload. */
export interface UploadLimits {
  /** Bytes of the whole body. */
  readonly maxBytes: number;
  /** How long it may take in total, milliseconds. */
  readonly withinMs: number;
}

/** The file of a form, as it arrives. */
export interface FormFile {
  /** The form's field that has it. */
  readonly field: string;
  /** As its customer called it; may be empty. */
  readonly filename: string;
  /** The type that its part declares, in lower case and without parameters. */
  readonly mimeType: string;
  readonly bytes: AsyncIterable<Buffer>;
}

/** A `Content-Type` in lower case and without parameters; empty when there is none. */
export const plainType = (type: string | undefined): string => type?.split(';', 1)[0]?.trim().toLowerCase() ?? '';

/**
 * Yields the bytes of a request's body up to the limit. If the consumer stops early, the connection stays open for the
 * response, and the rest of the body is read and dropped: otherwise the connection could not serve its next request.
 *
 * @param open ends the upload when it must give way to one of another account
 * @throws DomainError `payload_too_large`, `unavailable` when it gave way, `bad_request` when it was cut short
 */
export async function* uploadedBytes(
  body: Readable,
  { maxBytes, withinMs }: UploadLimits,
  open: OpenRequest,
): AsyncGenerator<Buffer> {
  let size = 0;
  const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  // These close the connection too: a client that stalls or drips would not read a response.
  const totalTimer = setTimeout(() => body.destroy(), withinMs);
  let giveWay = (): void => undefined;
  open.signal.addEventListener('abort', () => giveWay(), { once: true });
  const next = (): Promise<IteratorResult<Buffer>> =>
    new Promise((resolve, reject) => {
      giveWay = () => reject(open.signal.reason);
      if (open.signal.aborted) giveWay();
      chunks.next().then(resolve, () => reject(badRequest('the upload was cut short')));
    });
  try {
    for (;;) {
      const idleTimer = setTimeout(() => body.destroy(), IDLE_TIMEOUT_MS);
      const { value, done } = await next().finally(() => clearTimeout(idleTimer));
      if (done) return;
      open.heard();
      size += value.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      yield value;
    }
  } finally {
    clearTimeout(totalTimer);
    const dropped = Promise.resolve(chunks.return?.()).then(
      () => body.resume(),
      () => body.resume(),
    );
    // The iterator ends after the chunk that it waits for, which an upload that gave way may never send.
    if (!open.signal.aborted) await dropped;
  }
}

/**
 * Reads the one file of a `multipart/form-data` body.
 *
 * @param contentType with the form's boundary
 * @param use consumes the file; it has ended, one way or the other, before the form is refused
 * @param missing the refusal of a form without a file
 * @throws DomainError `bad_request` for a form that is broken, or has no file or several; what `use` throws
 */
export async function receiveForm(
  chunks: AsyncIterable<Buffer>,
  contentType: string,
  use: (file: FormFile) => Promise<void>,
  missing: string,
): Promise<void> {
  const form = openForm(contentType);
  let part: BusboyFileStream | undefined;
  let used: Promise<void> | undefined;
  let failure: unknown;
  form.on('file', (field, stream, filename, _encoding, mimeType) => {
    part = stream;
    // A part that is cut short says so twice, the second time to nobody.
    stream.on('error', () => undefined);
    used = use({ field, filename: filename ?? '', mimeType: plainType(mimeType), bytes: bytesOf(stream) });
    // Without this, a write error such as a full disk would leave the form waiting forever.
    used.catch((error: Error) => {
      failure = error;
      form.destroy(error);
    });
  });
  form.on('filesLimit', () => form.destroy(badRequest('the form must contain only one file')));
  try {
    await pipeline(chunks, form);
    await used;
  } catch (error) {
    part?.destroy();
    await used?.catch(() => undefined);
    // If whoever consumes the file failed first, that is what went wrong; everything else is the form’s fault.
    if (failure === error && !(error instanceof BrokenPart)) throw error;
    throw error instanceof DomainError ? error : brokenForm(error);
  }
  if (used === undefined) throw badRequest(missing);
}

function openForm(contentType: string) {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: { files: 1, fields: 20, fieldSize: 1024 } });
  } catch (error) {
    throw brokenForm(error);
  }
}

/** A part that is not whole. */
class BrokenPart extends Error {}

async function* bytesOf(part: BusboyFileStream): AsyncGenerator<Buffer> {
  try {
    yield* part as AsyncIterable<Buffer>;
  } catch (error) {
    throw new BrokenPart((error as Error).message, { cause: error });
  }
}

const brokenForm = (error: unknown): DomainError =>
  badRequest(`the form is not valid multipart/form-data: ${error instanceof Error ? error.message : String(error)}`);

/** The refusal of a body that is too large. */
export const tooLarge = (maxBytes: number): DomainError =>
  new DomainError('payload_too_large', `the request body must be at most ${maxBytes} bytes`);
