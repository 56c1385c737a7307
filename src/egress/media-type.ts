import { fileTypeFromBuffer } from 'file-type/core';
import { acceptsType, DOC, DOCX, type MediaKind, PPT, PPTX, TXT } from './media-limits.js';
import { cfbType, textType, zipType } from './office-type.js';

/** What the server and the URL say about a file; only consulted where the content is ambiguous. */
export interface DeclaredType {
  /** In lower case and without parameters; null: none. */
  readonly servedAs: string | null;
  /** The label of the charset in which a text is served. */
  readonly charset?: string | undefined;
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

/** Codecs in Ogg, by the extension that file-type gives them. The network takes only Opus. */
const OGG_CODECS: Readonly<Record<string, string>> = { ogg: 'Vorbis', oga: 'FLAC', spx: 'Speex' };

const UNKNOWN = 'an unknown type';

/**
 * Detects the media type of a file to be sent as `kind` from its first 4 KiB; the content takes precedence over the
 * declared type. The declared type only decides between formats that share a container: DOC and PPT, DOCX and PPTX, M4A
 * in a plain MP4 container. Never throws: a file in no accepted format gets the detected type, or `an unknown type`.
 */
export async function mediaTypeOf(head: Buffer, kind: MediaKind, declared: DeclaredType): Promise<string> {
  const hints = hintsOf(declared);
  const detected = await detect(head);
  if (kind === 'document') return documentType(head, detected, hints, charsetOfText(declared));
  if (detected === 'video/mp4' && kind === 'audio' && isSoundInMp4(head, hints)) return 'audio/mp4';
  return detected ?? textType(head) ?? UNKNOWN;
}

/** What the type of a file is called that shows none. */
export const OPAQUE_TYPE = 'application/octet-stream';

/** Text formats without a signature that do nothing in a browser. */
const INERT_TEXT = /^text\/(?:csv|calendar|vcard|x-vcard|tab-separated-values|markdown)$/;

/**
 * The media type under which to serve a file of any kind, by its first 4 KiB. What is declared only decides where the
 * content is ambiguous, and never makes HTML, XML or a script of anything else. Never throws.
 */
export async function contentTypeOf(head: Buffer, declared: DeclaredType): Promise<string> {
  const hints = hintsOf(declared);
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  const mime = found?.mime.split(';', 1)[0];
  if (mime === 'application/x-cfb') return cfbType(head) ?? oneOf([DOC, PPT], hints) ?? mime;
  if (mime === 'application/zip') return zipType(head, oneOf([DOCX, PPTX], hints)) ?? mime;
  if (mime === 'video/mp4' && isSoundInMp4(head, hints)) return 'audio/mp4';
  if (mime !== undefined && isSigned(mime)) return SAME_FORMAT[mime] ?? mime;
  const text = textType(head);
  if (text === TXT) return hints.find((hint) => INERT_TEXT.test(hint)) ?? TXT;
  const signed = SIGNATURES.find(([start]) => head.subarray(0, start.length).equals(start))?.[1];
  return text ?? mime ?? signed ?? OPAQUE_TYPE;
}

/** Whether a type is told by more than the two bytes with which a text may begin, too. */
const isSigned = (mime: string): boolean => /^(?:image|audio|video|font)\/|pdf$/.test(mime) && mime !== 'image/bmp';

async function detect(head: Buffer): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (found === undefined) return SIGNATURES.find(([start]) => head.subarray(0, start.length).equals(start))?.[1];
  const mime = found.mime.split(';', 1)[0] as string;
  if (mime === 'audio/mpeg' && found.ext !== 'mp3') return `audio/mpeg (${found.ext.toUpperCase()})`;
  const codec = mime === 'audio/ogg' ? OGG_CODECS[found.ext] : undefined;
  return codec === undefined ? (SAME_FORMAT[mime] ?? mime) : `audio/ogg with ${codec} instead of Opus`;
}

function documentType(
  head: Buffer,
  detected: string | undefined,
  hints: readonly string[],
  charset: string | undefined,
): string {
  if (detected === 'application/x-cfb') return cfbType(head) ?? oneOf([DOC, PPT], hints) ?? detected;
  if (detected === 'application/zip') return zipType(head, oneOf([DOCX, PPTX], hints)) ?? detected;
  if (detected !== undefined && acceptsType('document', detected)) return detected;
  // Words at the start of a plain text can look like signatures ("BM", "MZ"), so check for text first.
  const text = textType(head) ?? (charset === undefined ? undefined : textType(head, charset));
  if (text === TXT && hints.includes('text/html')) return 'text/html';
  return text ?? detected ?? UNKNOWN;
}

const charsetOfText = ({ servedAs, charset }: DeclaredType): string | undefined =>
  servedAs?.startsWith('text/') === true ? charset : undefined;

/** Recorders write audio into MP4 files with generic brands; if a video track is visible, it is a video. */
const isSoundInMp4 = (head: Buffer, hints: readonly string[]): boolean =>
  hints.some((hint) => /^audio\/(mp4|m4a|x-m4a)$/.test(hint)) && !head.includes('vide');

function hintsOf({ servedAs, fileName }: DeclaredType): string[] {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  const declared = servedAs === 'application/xhtml+xml' ? 'text/html' : (servedAs ?? '');
  return [declared, TYPE_OF_EXTENSION[extension] ?? ''];
}

const oneOf = (types: readonly string[], hints: readonly string[]): string | undefined =>
  hints.find((hint) => types.includes(hint));
