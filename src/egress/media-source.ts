import { DomainError } from '../errors/domain-error.js';
import type { EgressDownload } from './answer-sinks.js';
import type { EgressClient } from './egress-client.js';
import { EgressError } from './egress-error.js';
import { acceptsType, HEAD_BYTES, MEDIA_LIMITS, type MediaKind, wrongSize, wrongType } from './media-limits.js';
import { mediaTypeOf } from './media-type.js';

/** A customer's medium of an accepted type, its body still on its way. */
export interface OpenMedia {
  readonly mimeType: string;
  /** Bytes, where the answer says so, within the limit. */
  readonly size: number | null;
  /** Last part of the URL's path, or of `Content-Disposition`; may be empty. */
  readonly fileName: string;
  /** All bytes that the answer holds, from the first one on; fails with a DomainError beyond the limit. */
  bytes(): AsyncGenerator<Buffer, void, undefined>;
  /** Wants no (more) bytes. */
  close(): void;
}

/** How much of a medium is asked for, and how long that may take. */
export interface OpenMediaOptions {
  /** Only the first {@link HEAD_BYTES}: enough for type and size. */
  readonly headOnly: boolean;
  readonly timeoutMs: number;
}

const REDIRECTS = 3;
const CONTENT_RANGE = /^bytes (?:0-\d+|\*)\/(\d+)$/;

/**
 * Opens customers' media behind the guard and refuses what the limits do not accept. Every refusal is a 400 that
 * names `media_url` and what was found; the status, where the server answered with one.
 */
export class MediaSource {
  constructor(private readonly client: EgressClient) {}

  /** @throws DomainError `bad_request` */
  async open(url: string, kind: MediaKind, options: OpenMediaOptions): Promise<OpenMedia> {
    try {
      const answer = await this.get(url, kind, options);
      try {
        return await inspect(answer, url, kind);
      } catch (error) {
        answer.body.destroy();
        throw error;
      }
    } catch (error) {
      throw refusalOf(error, kind);
    }
  }

  private async get(url: string, kind: MediaKind, { headOnly, timeoutMs }: OpenMediaOptions): Promise<EgressDownload> {
    const headers = { accept: '*/*', 'accept-encoding': 'identity' };
    const limits = { maxBytes: MEDIA_LIMITS[kind].maxBytes, timeoutMs, redirects: REDIRECTS };
    if (headOnly) {
      const range = { range: `bytes=0-${HEAD_BYTES - 1}` };
      const answer = await this.client.download({ url, headers: { ...headers, ...range }, ...limits });
      // A server that serves the range without telling the size, or refuses ranges, is asked for the whole.
      if ((answer.status !== 206 && answer.status !== 416) || announcedSize(answer) !== null) return answer;
      answer.body.destroy();
    }
    return this.client.download({ url, headers, ...limits });
  }
}

/** A refusal of `media_url` in the words of the guard or the media rules; other errors stay as they are. */
function refusalOf(error: unknown, kind: MediaKind): unknown {
  if (!(error instanceof EgressError)) return error;
  if (error.kind === 'too_large') return refuse(wrongSize(kind, null), error);
  const ofTheUrl = error.kind === 'bad_url' || error.kind === 'forbidden_port' || error.kind === 'forbidden_address';
  return refuse(error.message, error, ofTheUrl ? '' : 'Media download failed: ');
}

const refuse = (predicate: string, cause?: unknown, prefix = ''): DomainError =>
  new DomainError('bad_request', `${prefix}media_url ${predicate}`, { cause });

async function inspect(answer: EgressDownload, url: string, kind: MediaKind): Promise<OpenMedia> {
  const { status, headers, body } = answer;
  const size = announcedSize(answer);
  if (size === 0) throw refuse('is empty');
  if (status !== 200 && status !== 206) throw refuse(`answered HTTP ${status}`, undefined, 'Media download failed: ');
  if (size !== null && size > MEDIA_LIMITS[kind].maxBytes) throw refuse(wrongSize(kind, size));

  const incoming = body[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  const first = await readHead(incoming);
  if (first.length === 0) throw refuse('is empty');
  const fileName = fileNameOf(headers['content-disposition'], url);
  const declared = { contentType: headers['content-type'], fileName };
  const mimeType = await mediaTypeOf(first.subarray(0, HEAD_BYTES), kind, declared);
  if (!acceptsType(kind, mimeType)) throw refuse(wrongType(kind, mimeType));
  return {
    mimeType,
    size,
    fileName,
    bytes: () => bytesOf(first, incoming, kind),
    close: () => void body.destroy(),
  };
}

/** Bytes of the whole medium: of `Content-Range` or, when it is sent whole, of `Content-Length`. */
function announcedSize({ status, headers }: EgressDownload): number | null {
  if (status === 206 || status === 416) {
    const total = CONTENT_RANGE.exec(String(headers['content-range'] ?? ''))?.[1];
    const size = total === undefined ? null : Number(total);
    // A refused range says something about the size only when there is nothing at all.
    return status === 416 && size !== 0 ? null : size;
  }
  const length = headers['content-length'];
  return status === 200 && typeof length === 'string' && /^\d+$/.test(length) ? Number(length) : null;
}

/** At least {@link HEAD_BYTES}, unless there are fewer. */
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
): AsyncGenerator<Buffer, void, undefined> {
  yield first;
  try {
    for (let next = await incoming.next(); !next.done; next = await incoming.next()) yield next.value;
  } catch (error) {
    throw refusalOf(error, kind);
  }
}

/** The name that the server gives a file, or the last part of the URL's path. */
function fileNameOf(disposition: string | string[] | undefined, url: string): string {
  const given = /filename="?([^";]+)"?/i.exec(String(disposition ?? ''))?.[1];
  const name = given ?? new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return (
      decodeURIComponent(name)
        .split(/[/\\]/)
        .at(-1)
        ?.replace(/[\u0000-\u001f\u007f]/g, '')
        .slice(0, 200) ?? ''
    );
  } catch {
    return '';
  }
}
