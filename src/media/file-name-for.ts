import { plainFileName } from '../egress/file-name.js';
import type { RecordId } from '../values/record-id.js';
import type { ReadableMedia } from './media-reader.service.js';

const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/pdf': '.pdf',
  'audio/aac': '.aac',
  'audio/amr': '.amr',
  'audio/mp4': '.m4a',
  'audio/mpeg': '.mp3',
  'audio/ogg': '.ogg',
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
  'text/plain': '.txt',
  'video/3gpp': '.3gp',
  'video/mp4': '.mp4',
};

/** What the file of a message is called when it is saved: as its sender called it, else by the message and its type. */
export const fileNameFor = (
  messageId: RecordId,
  { filename, mimeType }: Pick<ReadableMedia, 'filename' | 'mimeType'>,
): string => plainFileName(filename ?? '') || `${messageId}${EXTENSIONS[mimeType] ?? ''}`;
