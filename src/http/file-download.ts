import type { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../errors/domain-error.js';

/** A file to serve. */
export interface DownloadableFile {
  readonly mimeType: string;
  readonly filename: string;
  /** Bytes. */
  readonly size: number;
  /** Identifies the content. */
  readonly sha256: string;
  /** The bytes from `start` to `end`, both inclusive. */
  read(start: number, end: number): Readable;
  /** Called instead of {@link read}. */
  close(): Promise<void>;
}

/** A part of a file; `end` is inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Formats that a browser shows or plays without running anything in them; SVG is XML with scripts. */
const SHOWN = /^(?:image|audio|video)\/(?!svg)[\w.+-]+$/;

/**
 * Answers with a file that a stranger may have made: whole, or the range that is asked for. Nothing in it can act in the
 * name of this origin, whatever it is: browsers take the type as it is said, show only images, audio and video, and give
 * them an origin of their own.
 *
 * @throws DomainError 416
 */
export async function fileDownload(
  file: DownloadableFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<StreamableFile | undefined> {
  const etag = `"${file.sha256}"`;
  reply.headers({
    etag,
    'accept-ranges': 'bytes',
    // Asked for anew each time, because the file may have been deleted.
    'cache-control': 'private, no-cache',
    'content-security-policy': "sandbox; default-src 'none'",
  });
  if (isListed(request.headers['if-none-match'], etag)) {
    await file.close();
    reply.status(304);
    return undefined;
  }
  const ifRange = request.headers['if-range'];
  const asked =
    request.method === 'GET' && (ifRange === undefined || ifRange === etag) ? request.headers.range : undefined;
  const range = rangeOf(asked, file.size);
  if (range === 'beyond') {
    await file.close();
    throw new DomainError('range_not_satisfiable', `Range asks for ${asked}; the file has ${file.size} bytes`, {
      headers: { 'content-range': `bytes */${file.size}` },
    });
  }
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  if (range !== null) reply.status(206).header('content-range', `bytes ${start}-${end}/${file.size}`);
  reply.headers({
    'content-type': file.mimeType,
    'content-length': end - start + 1,
    'content-disposition': dispositionOf(file),
  });
  // For HEAD, the stream is closed unread before it is sent.
  return new StreamableFile(file.read(start, end));
}

/**
 * The part that a `Range` header asks for.
 *
 * @returns null for the whole file: without the header, and for one that is malformed or asks for several parts, which
 * a server may ignore
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | null | 'beyond' {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '')
    return last === '0' || size === 0 ? 'beyond' : { start: Math.max(0, size - Number(last)), end: size - 1 };
  const [start, end] = [Number(first), last === '' ? size - 1 : Number(last)];
  if (last !== '' && end < start) return null;
  return start >= size ? 'beyond' : { start, end: Math.min(end, size - 1) };
}

/** Whether `If-None-Match` lists a tag. */
export const isListed = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === etag) === true;

/** @returns a `Content-Disposition` whose name survives in any language (RFC 6266, RFC 8187) */
export function dispositionOf({ mimeType, filename }: Pick<DownloadableFile, 'mimeType' | 'filename'>): string {
  const kind = SHOWN.test(mimeType) ? 'inline' : 'attachment';
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"${plain === filename ? '' : `; filename*=UTF-8''${encoded}`}`;
}
