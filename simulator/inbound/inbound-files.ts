import { ControlError } from '../control/control-error.js';
import { isText, type JsonObject } from '../json-object.js';
import type { MediaEndpoint } from '../media/media-endpoint.js';
import type { ReceivedMedia, ReceivedMedium } from '../media/received-media.js';
import type { SimulatedPhone } from '../phone-registry.js';
import { unsupported } from './inbound-contents.js';
import { flag, optionalObject, optionalText } from './inbound-fields.js';

/** The MIME types of files that the caller of `/_sim/inbound` does not describe. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/ogg; codecs=opus',
  document: 'application/pdf',
  sticker: 'image/webp',
};
const MB = 1024 * 1024;
/** The network passes on no file that is larger than this, in bytes. */
const MAX_PASSED_ON = 100 * MB;
/** Larger files are made up from their size, up to ten times what the network takes. */
const MAX_GIVEN = 16 * MB;
const MAX_SIZE = 10 * MAX_PASSED_ON;
const USUAL_SIZE = 4096;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const SHAPE = '{bytes_base64 or size, id?, mime_type?, caption?, filename?, …}';

/** The files that people send: keeps each one until it is fetched, and describes it as the network does. */
export class InboundFiles {
  constructor(
    private readonly received: ReceivedMedia,
    private readonly endpoint: MediaEndpoint,
  ) {}

  /** What a message of this type that was sent to the phone says about its file. */
  describe(phone: SimulatedPhone): (type: string, input: JsonObject) => Promise<JsonObject> {
    return async (type, input) => {
      const { bytes_base64, size, ...media } = optionalObject(input, 'media', SHAPE) ?? {};
      const bytes = bytesIn(bytes_base64);
      const length = bytes?.length ?? sizeIn(size);
      if (length > MAX_PASSED_ON) return { type: 'unsupported', ...unsupported(type, 131052) };
      const mime_type = optionalText(media, 'mime_type') ?? MEDIA_TYPES[type] ?? '';
      const { phone_number_id } = phone;
      const id = isText(media.id) ? { id: media.id } : {};
      const description = { ...id, phone_number_id, mime_type };
      const medium = bytes
        ? await this.received.add(description, bytes)
        : await this.received.generate(description, length);
      return { [type]: { ...this.shown(medium), ...flagsOf(type, input), ...media } };
    };
  }

  /** Messages show the hash in another form than the description of the file does. */
  private shown({ id, mime_type, sha256 }: ReceivedMedium): JsonObject {
    return { id, mime_type, sha256: Buffer.from(sha256, 'hex').toString('base64'), url: this.endpoint.urlOf(id) };
  }
}

function bytesIn(given: unknown): Buffer | null {
  if (given === undefined) return null;
  if (typeof given !== 'string' || !BASE64.test(given)) throw new ControlError('media.bytes_base64 must be base64');
  const bytes = Buffer.from(given, 'base64');
  if (bytes.length <= MAX_GIVEN) return bytes;
  throw new ControlError(`media.bytes_base64 is longer than ${MAX_GIVEN} bytes; give a size instead`);
}

function sizeIn(given: unknown): number {
  const size = given ?? USUAL_SIZE;
  if (Number.isInteger(size) && (size as number) >= 0 && (size as number) <= MAX_SIZE) return size as number;
  throw new ControlError(`media.size must be a whole number of at most ${MAX_SIZE} bytes`);
}

/** Whether audio was recorded in the chat, and whether a sticker moves. */
function flagsOf(type: string, input: JsonObject): JsonObject {
  if (type === 'audio') return { voice: input.voice === undefined || flag(input, 'voice') };
  return type === 'sticker' ? { animated: flag(input, 'animated') } : {};
}
