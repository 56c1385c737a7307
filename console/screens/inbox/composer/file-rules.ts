/** What a file is sent as. */
export type FileKind = 'image' | 'video' | 'audio' | 'document';

/** Why a file can’t be sent. */
export type FileFault =
  | { readonly kind: 'type' }
  | { readonly kind: 'sticker' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'size'; readonly as: FileKind; readonly maxMegabytes: number };

/** A file with the type that the API knows it by. */
export interface KnownFile {
  readonly file: File;
  readonly kind: FileKind;
}

const MEGABYTE = 1024 * 1024;
const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** What the network takes, and how much of it; the service checks the same again. */
const LIMITS: Readonly<Record<FileKind, { readonly maxMegabytes: number; readonly types: readonly string[] }>> = {
  image: { maxMegabytes: 5, types: ['image/jpeg', 'image/png'] },
  video: { maxMegabytes: 16, types: ['video/mp4'] },
  audio: { maxMegabytes: 16, types: ['audio/aac', 'audio/mpeg', 'audio/mp4', 'audio/amr', 'audio/ogg'] },
  document: {
    maxMegabytes: 100,
    types: [
      'application/pdf',
      'application/msword',
      `${OFFICE}.wordprocessingml.document`,
      'application/vnd.ms-powerpoint',
      `${OFFICE}.presentationml.presentation`,
      'text/plain',
    ],
  },
};

/** Systems name some types in other ways, or not at all. */
const TYPE_OF_ENDING: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  mp4: 'video/mp4',
  aac: 'audio/aac',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  amr: 'audio/amr',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: `${OFFICE}.wordprocessingml.document`,
  ppt: 'application/vnd.ms-powerpoint',
  pptx: `${OFFICE}.presentationml.presentation`,
  txt: 'text/plain',
  webp: 'image/webp',
};

const KINDS = Object.keys(LIMITS) as FileKind[];

/** The types that a file dialog offers. */
export const ACCEPTED = KINDS.flatMap((kind) => LIMITS[kind].types).join(',');

/** Whether a text may go with a file of a kind. */
export const takesCaption = (kind: FileKind): boolean => kind !== 'audio';

/** What a file is sent as, or why it can’t be. */
export function look(file: File): KnownFile | FileFault {
  const type = typeOf(file);
  if (type === 'image/webp') return { kind: 'sticker' };
  const kind = KINDS.find((one) => LIMITS[one].types.includes(type));
  if (kind === undefined) return { kind: 'type' };
  const { maxMegabytes } = LIMITS[kind];
  if (file.size === 0) return { kind: 'empty' };
  if (file.size > maxMegabytes * MEGABYTE) return { kind: 'size', as: kind, maxMegabytes };
  return { file: file.type === type ? file : new File([file], file.name, { type }), kind };
}

function typeOf({ name, type }: File): string {
  const plain = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (KINDS.some((kind) => LIMITS[kind].types.includes(plain))) return plain;
  const ending = name.includes('.') ? (name.split('.').at(-1)?.toLowerCase() ?? '') : '';
  return TYPE_OF_ENDING[ending] ?? plain;
}
