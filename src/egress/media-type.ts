import { fileTypeFromBuffer } from 'file-type/core';
import { acceptsType, DOC, DOCX, type MediaKind, PPT, PPTX, TXT } from './media-limits.js';
import { cfbType, textType, zipType } from './office-type.js';

/** What the server and the URL say about a file; only consulted where the content is ambiguous. */
export interface DeclaredType {
  readonly contentType: string | undefined;
  readonly fileName: string;
}

/** Detected types that count as one of the accepted formats. */
const SAME_FORMAT: Readonly<Record<string, string>> = {
  'image/apng': 'image/png',
  'video/x-m4v': 'video/mp4',
  'audio/x-m4a': 'audio/mp4',
  'application/ogg': 'audio/ogg',
};

/** Signatures that suffice even if file-type does not recognise what follows. */
const SIGNATURES: readonly (readonly [Buffer, string])[] = [
  [Buffer.from('89504e470d0a1a0a', 'hex'), 'image/png'],
  [Buffer.from('ID3'), 'audio/mpeg'],
  [Buffer.from('OggS'), 'audio/ogg'],
];

const TYPE_OF_EXTENSION: Readonly<Record<string, string>> = {
  doc: DOC,
  docx: DOCX,
  ppt: PPT,
  pptx: PPTX,
  m4a: 'audio/mp4',
  html: 'text/html',
  htm: 'text/html',
};

const UNKNOWN = 'an unknown type';

/**
 * Detects the media type of a file to be sent as `kind` from its first 4 KiB; the content takes precedence over the
 * declared type. The declared type only decides between formats that share a container: DOC and PPT, DOCX and PPTX, M4A
 * in a plain MP4 container. Never throws: a file in no accepted format gets the detected type, or `an unknown type`.
 */
export async function mediaTypeOf(head: Buffer, kind: MediaKind, declared: DeclaredType): Promise<string> {
  const hints = hintsOf(declared);
  const detected = await detect(head);
  if (kind === 'document') return documentType(head, detected, hints);
  if (detected === 'video/mp4' && kind === 'audio' && isSoundInMp4(head, hints)) return 'audio/mp4';
  return detected ?? textType(head) ?? UNKNOWN;
}

async function detect(head: Buffer): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (found === undefined) return SIGNATURES.find(([start]) => head.subarray(0, start.length).equals(start))?.[1];
  const mime = found.mime.split(';', 1)[0] as string;
  if (mime === 'audio/mpeg' && found.ext !== 'mp3') return `audio/mpeg (${found.ext.toUpperCase()})`;
  return SAME_FORMAT[mime] ?? mime;
}

function documentType(head: Buffer, detected: string | undefined, hints: readonly string[]): string {
  if (detected === 'application/x-cfb') return cfbType(head) ?? oneOf([DOC, PPT], hints) ?? detected;
  if (detected === 'application/zip') return zipType(head, oneOf([DOCX, PPTX], hints)) ?? detected;
  if (detected !== undefined && acceptsType('document', detected)) return detected;
  // Words at the start of a plain text can look like signatures ("BM", "MZ"), so check for text first.
  const text = textType(head);
  if (text === TXT && hints.includes('text/html')) return 'text/html';
  return text ?? detected ?? UNKNOWN;
}

/** Recorders write audio into MP4 files with generic brands; if a video track is visible, it is a video. */
const isSoundInMp4 = (head: Buffer, hints: readonly string[]): boolean =>
  hints.some((hint) => /^audio\/(mp4|m4a|x-m4a)$/.test(hint)) && !head.includes('vide');

function hintsOf({ contentType = '', fileName }: DeclaredType): string[] {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  const declared = (contentType.split(';', 1)[0] as string).trim().toLowerCase();
  return [declared === 'application/xhtml+xml' ? 'text/html' : declared, TYPE_OF_EXTENSION[extension] ?? ''];
}

const oneOf = (types: readonly string[], hints: readonly string[]): string | undefined =>
  hints.find((hint) => types.includes(hint));
