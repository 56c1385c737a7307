import { DomainError } from '../errors/domain-error.js';
import { charsetOf } from './body-text.js';
import { nameInDisposition } from './content-disposition.js';
import { ACCEPTED_ENCODINGS, changesBytes, contentEncodingOf } from './content-encoding.js';
import type { EgressClient } from './egress-client.js';
import { EgressError, type EgressFailure } from './egress-error.js';
import { nameInUrl } from './file-name.js';
import {
  acceptsType,
  HEAD_BYTES,
  isAnimated,
  MEDIA_LIMITS,
  type MediaKind,
  maxBytesOf,
  wrongFormat,
  wrongSize,
} from './media-limits.js';
import { mediaTypeOf } from './media-type.js';
import type { EgressDownload } from './response-sinks.js';

/** A customer's media file of an accepted type, whose body is still arriving. */
export interface OpenMedia {
  /** By its content. */
  readonly mimeType: string;
  /** The type that its server declares, in lower case and without parameters; null when it declares none. */
  readonly servedAs: string | null;
  /** Bytes, within the limit; null when the response does not announce its size, or is encoded. */
  readonly size: number | null;
  /** The name in `Content-Disposition`, or the last part of the URL's path; may be empty. */
  readonly fileName: string;
  /** Whether a sticker moves. */
  readonly isAnimated: boolean;
  /** All decoded bytes of the response from the start; throws a DomainError beyond the limit. */
  bytes(): AsyncGenerator<Buffer, void, undefined>;
  /** Stops the download. */
  close(): void;
}

/** How much of a media file to request, and how long that may take. */
export interface OpenMediaOptions {
  /** Whether to request only the first {@link HEAD_BYTES}, enough to detect type and size. */
  readonly headOnly: boolean;
  readonly timeoutMs: number;
  /** Cancels the download. */
  readonly signal?: AbortSignal;
}

const REDIRECTS = 3;
const CONTENT_RANGE = /^bytes (?:0-(\d+)|\*)\/(\d+)$/;

/**
 * Opens customers' media through the egress guard and refuses what exceeds the limits. Every refusal is a 400 that
 * names `media_url` and what is wrong with it, including the HTTP status if the server sent one.
 */
export class MediaSource {
  constructor(private readonly client: EgressClient) {}

  /** @throws DomainError `bad_request` */
  async open(url: string, kind: MediaKind, options: OpenMediaOptions): Promise<OpenMedia> {
    try {
      const response = await this.get(url, kind, options);
      try {
        return await inspect(response, url, kind);
      } catch (error) {
        response.body.destroy();
        throw error;
      }
    } catch (error) {
      throw refusalOf(error, kind);
    }
  }

  private async get(
    url: string,
    kind: MediaKind,
    { headOnly, timeoutMs, signal }: OpenMediaOptions,
  ): Promise<EgressDownload> {
    const headers = { accept: '*/*', 'accept-encoding': ACCEPTED_ENCODINGS };
    const limits = {
      maxBytes: MEDIA_LIMITS[kind].maxBytes,
      timeoutMs,
      deadline: performance.now() + timeoutMs,
      redirects: REDIRECTS,
      ...(signal === undefined ? {} : { signal }),
    };
    if (headOnly) {
      const range = { range: `bytes=0-${HEAD_BYTES - 1}` };
      const response = await this.client.download({ url, headers: { ...headers, ...range }, ...limits });
      // If the server refuses ranges, or sends one without the total size or of encoded bytes, request the whole file.
      if ((response.status !== 206 && response.status !== 416) || announcedSize(response) !== null) return response;
      response.body.destroy();
    }
    const response = await this.client.download({ url, headers, ...limits });
    if (response.status !== 206 || isWhole(response)) return response;
    response.body.destroy();
    throw refuse('answered with a part of the file (HTTP 206), which was not asked for', undefined, FAILED);
  }
}

/** Turns an EgressError into a refusal of `media_url`; other errors stay as they are. */
function refusalOf(error: unknown, kind: MediaKind): unknown {
  if (!(error instanceof EgressError)) return error;
  if (error.kind === 'too_large') return refuse(wrongSize(kind, null), error);
  return refuse(error.message, error, OF_URL_OR_FILE.has(error.kind) ? '' : FAILED);
}

const FAILED = 'Media download failed: ';

/** Failures that are the URL's or the file's, whoever downloads it. */
const OF_URL_OR_FILE: ReadonlySet<EgressFailure> = new Set([
  'bad_url',
  'forbidden_port',
  'forbidden_address',
  'unknown_encoding',
]);

/** A 400 about `media_url`. @param predicate what is wrong with it */
export const refuse = (predicate: string, cause?: unknown, prefix = ''): DomainError =>
  new DomainError('bad_request', `${prefix}media_url ${predicate}`, { cause });

/** A refusal of `media_url` as one of the request field that the URL came from; other errors stay as they are. */
export const namingField = (error: unknown, field: string): unknown =>
  error instanceof DomainError && error.code === 'bad_request'
    ? new DomainError('bad_request', error.message.replace('media_url', field), { cause: error })
    : error;

async function inspect(response: EgressDownload, url: string, kind: MediaKind): Promise<OpenMedia> {
  const { status, headers, body } = response;
  const size = announcedSize(response);
  if (size === 0) throw refuse('is empty');
  if (status !== 200 && status !== 206) throw refuse(`answered HTTP ${status}`, undefined, FAILED);
  if (size !== null && size > MEDIA_LIMITS[kind].maxBytes) throw refuse(wrongSize(kind, size));

  const incoming = body[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  const first = await readHead(incoming);
  if (first.length === 0) throw refuse('is empty');
  const most = maxBytesOf(kind, first);
  if (size !== null && size > most) throw refuse(wrongSize(kind, size, most));
  const name = nameInDisposition(headers['content-disposition']) ?? nameInUrl(url);
  // An array when the header came twice, whatever its type says.
  const contentType = [headers['content-type'] ?? ''].flat()[0] ?? '';
  const servedAs = contentType.split(';', 1)[0]?.trim().toLowerCase() || null;
  const declared = { servedAs, charset: charsetOf(contentType), fileName: name };
  const mimeType = await mediaTypeOf(first.subarray(0, HEAD_BYTES), kind, declared);
  if (!acceptsType(kind, mimeType)) throw refuse(wrongFormat(kind, mimeType));
  return {
    mimeType,
    servedAs,
    size,
    fileName: name,
    isAnimated: isAnimated(first),
    bytes: () => bytesOf(first, incoming, kind, most),
    close: () => void body.destroy(),
  };
}

/**
 * Bytes of the whole file, from `Content-Range` for a partial response, otherwise from `Content-Length`; null when these
 * count encoded bytes.
 */
function announcedSize({ status, headers }: EgressDownload): number | null {
  if (status !== 416 && changesBytes(contentEncodingOf(headers))) return null;
  if (status === 206 || status === 416) {
    const total = CONTENT_RANGE.exec(String(headers['content-range'] ?? ''))?.[2];
    const size = total === undefined ? null : Number(total);
    // A refused range (416) is only conclusive for an empty file.
    return status === 416 && size !== 0 ? null : size;
  }
  const length = headers['content-length'];
  return status === 200 && typeof length === 'string' && /^\d+$/.test(length) ? Number(length) : null;
}

/** Whether a partial response has all bytes of the file. */
function isWhole({ headers }: EgressDownload): boolean {
  const [, last, total] = CONTENT_RANGE.exec(String(headers['content-range'] ?? '')) ?? [];
  return last !== undefined && Number(last) + 1 === Number(total);
}

/** Reads at least {@link HEAD_BYTES}, or all if the file is shorter. */
async function readHead(incoming: AsyncIterator<Buffer, undefined>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let size = 0; size < HEAD_BYTES; ) {
    const { done, value } = await incoming.next();
    if (done) break;
    chunks.push(value);
    size += value.length;
  }
  return Buffer.concat(chunks);
}

async function* bytesOf(
  first: Buffer,
  incoming: AsyncIterator<Buffer, undefined>,
  kind: MediaKind,
  most: number,
): AsyncGenerator<Buffer, void, undefined> {
  let size = first.length;
  if (size > most) throw refuse(wrongSize(kind, null, most));
  yield first;
  try {
    for (let next = await incoming.next(); !next.done; next = await incoming.next()) {
      size += next.value.length;
      if (size > most) throw refuse(wrongSize(kind, null, most));
      yield next.value;
    }
  } catch (error) {
    throw refusalOf(error, kind);
  }
}
