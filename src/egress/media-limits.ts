/** The kinds of media that a message or a template header may contain. */
export type MediaKind = 'image' | 'video' | 'audio' | 'document';

/** The limits of one kind of media. */
export interface MediaLimit {
  readonly maxBytes: number;
  /** Accepted formats: their names in error messages, by media type. */
  readonly formats: Readonly<Record<string, string>>;
}

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
};

const NOUNS: Readonly<Record<MediaKind, string>> = {
  image: 'an image',
  video: 'a video',
  audio: 'an audio file',
  document: 'a document',
};

/** Whether media of type `mimeType` may be sent as `kind`. */
export const acceptsType = (kind: MediaKind, mimeType: string): boolean => mimeType in MEDIA_LIMITS[kind].formats;

/** Describes a type that is not accepted, as a predicate that follows the field's name. */
export const wrongType = (kind: MediaKind, found: string): string =>
  `is ${found}: ${NOUNS[kind]} must be one of ${Object.values(MEDIA_LIMITS[kind].formats).join(', ')}`;

/** Describes a size over the limit, likewise; `size` is null when the exact size is unknown. */
export function wrongSize(kind: MediaKind, size: number | null): string {
  const { maxBytes } = MEDIA_LIMITS[kind];
  const found = size === null ? `more than ${maxBytes}` : size;
  return `is ${found} bytes: ${NOUNS[kind]} may have at most ${maxBytes} bytes (${maxBytes / MEGABYTE} MB)`;
}
