/** The kinds of media that a message or a template header may contain. */
export type MediaKind = 'image' | 'video' | 'audio' | 'document' | 'sticker';

/** The limits of one kind of media. */
export interface MediaLimit {
  readonly maxBytes: number;
  /** Of a file that does not move, if that is less. */
  readonly maxStillBytes?: number;
  /** Accepted formats: their names in error messages, by media type. */
  readonly formats: Readonly<Record<string, string>>;
}

const KILOBYTE = 1024;
/** Bytes in one MB. */
export const MEGABYTE = 1024 * 1024;

/** Bytes at the start of a file that we detect its type from. */
export const HEAD_BYTES = 4096;

export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
export const PPTX = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
export const DOC = 'application/msword';
export const PPT = 'application/vnd.ms-powerpoint';
export const TXT = 'text/plain';

export const MEDIA_LIMITS: Readonly<Record<MediaKind, MediaLimit>> = {
  image: { maxBytes: 5 * MEGABYTE, formats: { 'image/jpeg': 'JPEG', 'image/png': 'PNG' } },
  video: { maxBytes: 16 * MEGABYTE, formats: { 'video/mp4': 'MP4' } },
  audio: {
    maxBytes: 16 * MEGABYTE,
    formats: { 'audio/aac': 'AAC', 'audio/mpeg': 'MP3', 'audio/mp4': 'M4A', 'audio/amr': 'AMR', 'audio/ogg': 'OGG' },
  },
  document: {
    maxBytes: 100 * MEGABYTE,
    formats: { 'application/pdf': 'PDF', [DOC]: 'DOC', [DOCX]: 'DOCX', [PPT]: 'PPT', [PPTX]: 'PPTX', [TXT]: 'TXT' },
  },
  sticker: { maxBytes: 500 * KILOBYTE, maxStillBytes: 100 * KILOBYTE, formats: { 'image/webp': 'WEBP' } },
};

export const MEDIA_KINDS = Object.keys(MEDIA_LIMITS) as MediaKind[];

const NOUNS: Readonly<Record<MediaKind, string>> = {
  image: 'an image',
  video: 'a video',
  audio: 'an audio file',
  document: 'a document',
  sticker: 'a sticker',
};

/** Whether media of type `mimeType` may be sent as `kind`. */
export const acceptsType = (kind: MediaKind, mimeType: string): boolean =>
  Object.hasOwn(MEDIA_LIMITS[kind].formats, mimeType);

/** The extension of files of an accepted type. */
export function extensionOf(kind: MediaKind, mimeType: string): string {
  const extension = (MEDIA_LIMITS[kind].formats[mimeType] ?? '').toLowerCase();
  return extension === 'jpeg' ? 'jpg' : extension;
}

/** The most bytes that a file of this kind may have which begins with `head`. */
export function maxBytesOf(kind: MediaKind, head: Buffer): number {
  const { maxBytes, maxStillBytes = maxBytes } = MEDIA_LIMITS[kind];
  return isAnimated(head) ? maxBytes : maxStillBytes;
}

/** Whether a WebP file says in its extended header that it is an animation. */
export const isAnimated = (head: Buffer): boolean =>
  head.subarray(12, 16).toString('latin1') === 'VP8X' && ((head[20] ?? 0) & 2) !== 0;

/** Describes a type that is not accepted, as a predicate that follows the field's name. */
export const wrongFormat = (kind: MediaKind, found: string): string =>
  `is ${found}: ${NOUNS[kind]} must be one of ${Object.values(MEDIA_LIMITS[kind].formats).join(', ')}`;

/** Describes a type under which a file is served and that the network does not take, likewise; null: there is none. */
export const wrongServedType = (kind: MediaKind, servedAs: string | null): string =>
  `is served ${servedAs === null ? 'without a Content-Type' : `as ${servedAs}`}: the network takes ${NOUNS[kind]} only ` +
  `as ${Object.keys(MEDIA_LIMITS[kind].formats).join(', ')}. Have its server send the right Content-Type`;

/** Describes a size over the limit, likewise; `size` is null when the exact size is unknown. */
export function wrongSize(kind: MediaKind, size: number | null, maxBytes = MEDIA_LIMITS[kind].maxBytes): string {
  const found = size === null ? `more than ${maxBytes}` : size;
  const inWords = maxBytes < MEGABYTE ? `${maxBytes / KILOBYTE} KB` : `${maxBytes / MEGABYTE} MB`;
  return `is ${found} bytes: ${NOUNS[kind]} may have at most ${maxBytes} bytes (${inWords})`;
}
