/** What a message or a template's header may carry. */
export type MediaKind = 'image' | 'video' | 'audio' | 'document';

/** Limit of one kind of media. */
export interface MediaLimit {
  /** Bytes at most. */
  readonly maxBytes: number;
  /** Names of the accepted formats, as they are called in errors, by media type. */
  readonly formats: Readonly<Record<string, string>>;
}

/** Bytes of one MB. */
export const MEGABYTE = 1024 * 1024;

/** Bytes at the start of a file by which its type is told. */
export const HEAD_BYTES = 4096;

export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
export const PPTX = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
export const DOC = 'application/msword';
export const PPT = 'application/vnd.ms-powerpoint';
export const TXT = 'text/plain';

/** Sizes and formats of each kind. */
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

/** What is wrong with the type found, as a predicate of the field's name. */
export const wrongType = (kind: MediaKind, found: string): string =>
  `holds ${found}: ${NOUNS[kind]} must be ${Object.values(MEDIA_LIMITS[kind].formats).join(', ')}`;

/** What is wrong with the size; `size` is null when it was only found to exceed the limit. */
export function wrongSize(kind: MediaKind, size: number | null): string {
  const { maxBytes } = MEDIA_LIMITS[kind];
  const found = size === null ? `more than ${maxBytes}` : size;
  return `holds ${found} bytes: ${NOUNS[kind]} has at most ${maxBytes} bytes (${maxBytes / MEGABYTE} MB)`;
}
