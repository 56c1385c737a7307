const KB = 1024;
const MB = 1024 * KB;
const OFFICE = 'application/vnd.openxmlformats-officedocument.';

type Check = (head: Buffer) => boolean;

const startsWith = (hex: string, at = 0): Check => {
  const bytes = Buffer.from(hex, 'hex');
  return (head) => head.subarray(at, at + bytes.length).equals(bytes);
};
const container = startsWith('66747970', 4);
const compound = startsWith('d0cf11e0');
const zip = startsWith('504b0304');
const isWebp: Check = (head) => startsWith('52494646')(head) && startsWith('57454250', 8)(head);
/** Whether a WebP file has the flag of an animation in its extended header. */
const isAnimated: Check = (head) => startsWith('56503858', 12)(head) && ((head[20] ?? 0) & 2) !== 0;
/** Whether a file begins with a frame of MPEG audio with a layer, or with one of AAC, which has none. */
function isFrame(head: Buffer, hasLayer: boolean): boolean {
  const [first = 0, second = 0] = head;
  return first === 0xff && (second & 0xe0) === 0xe0 && hasLayer === ((second & 0x06) !== 0);
}

/** The kinds of media in messages, and their types with what the first bytes of such a file look like. */
const TYPES: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  image: { 'image/jpeg': startsWith('ffd8ff'), 'image/png': startsWith('89504e47') },
  video: { 'video/mp4': container, 'video/3gpp': container },
  audio: {
    'audio/aac': (head) => isFrame(head, false),
    'audio/amr': startsWith('2321414d52'),
    'audio/mpeg': (head) => startsWith('494433')(head) || isFrame(head, true),
    'audio/mp4': container,
    'audio/ogg': (head) => startsWith('4f676753')(head) && head.includes('OpusHead'),
  },
  document: {
    'text/plain': (head) => !head.includes(0),
    'application/pdf': startsWith('25504446'),
    'application/msword': compound,
    'application/vnd.ms-excel': compound,
    'application/vnd.ms-powerpoint': compound,
    [`${OFFICE}wordprocessingml.document`]: zip,
    [`${OFFICE}spreadsheetml.sheet`]: zip,
    [`${OFFICE}presentationml.presentation`]: zip,
  },
  sticker: { 'image/webp': isWebp },
};

const MAX_BYTES: Readonly<Record<string, number>> = {
  image: 5 * MB,
  video: 16 * MB,
  audio: 16 * MB,
  document: 100 * MB,
  sticker: 100 * KB,
};
const MAX_ANIMATED_STICKER = 500 * KB;

export const MEDIA_KINDS = Object.keys(TYPES);

/** How many bytes of a file are needed to recognise it. */
export const HEAD_BYTES = 512;

/** A type without its parameters. */
export const plainType = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase();

/** The kind of media with this MIME type; undefined if the network accepts no such files. */
export const kindOfType = (type: string): string | undefined =>
  MEDIA_KINDS.find((kind) => Object.hasOwn(TYPES[kind] ?? {}, plainType(type)));

/** The largest file of a kind that begins with `head`, in bytes. */
export const maxBytesOf = (kind: string, head: Buffer): number =>
  kind === 'sticker' && isAnimated(head) ? MAX_ANIMATED_STICKER : (MAX_BYTES[kind] ?? 0);

/** Whether a message of this kind can show a file of this type that begins with `head`. */
export const suits = (kind: string, type: string, head: Buffer): boolean =>
  TYPES[kind]?.[plainType(type)]?.(head) ?? false;
