import type { SendFreeFormRequest } from '../../../../clients/typescript/src/generated/schema.js';
import type { Message } from '../records.js';

/** Failures after which nobody knows whether the message arrived: no answer, no news, and no reason. */
const UNSURE: readonly (number | null)[] = [900002, 900008, null];

/** Whether a message failed, and certainly did not arrive. */
export const wasSurelyNotSent = ({ status, error_code }: Pick<Message, 'status' | 'error_code'>): boolean =>
  status === 'failed' && !UNSURE.includes(error_code);

export type Again = Omit<SendFreeFormRequest, 'contact_phone' | 'contact_user_id' | 'waba_phone_id'>;

/** The same message as a new one; null for templates, and where its contents are not known any more. */
export function onceMore(message: Message): Again | null {
  const contents = contentsOf(message);
  if (contents === null || message.template_name !== null || message.revoked_at !== undefined) return null;
  return { ...contents, ...(message.reply_to !== undefined && { reply_to: message.reply_to }) };
}

function contentsOf(message: Message): Again | null {
  const { message_type, content, buttons, list, location, preview_url } = message;
  switch (message_type) {
    case 'text':
      if (content === '') return null;
      return {
        message_type,
        message: content,
        ...(buttons !== undefined && { buttons }),
        ...(preview_url === true && { preview_url }),
      };
    case 'location_request':
      return { message_type, message: content };
    case 'list':
      return list === undefined ? null : { message_type, message: content, list };
    case 'location':
      return location === undefined ? null : { message_type, location };
    case 'image':
    case 'video':
    case 'document':
    case 'audio':
    case 'sticker':
      return mediaOf(message_type, message);
    default:
      return null;
  }
}

type MediaType = 'image' | 'video' | 'document' | 'audio' | 'sticker';

function mediaOf(message_type: MediaType, { media, content }: Message): Again | null {
  const isKept = media?.media_id !== undefined && media.status === 'stored';
  if (media === undefined || (!isKept && media.link === undefined)) return null;
  const hasCaption = message_type !== 'audio' && message_type !== 'sticker' && content !== '';
  return {
    message_type,
    ...(isKept ? { media_id: media.media_id } : { media_url: media.link }),
    ...(hasCaption && { caption: content }),
    ...(message_type === 'document' && media.filename !== null && { filename: media.filename }),
    ...(message_type === 'audio' && media.voice && { voice: true }),
  };
}
