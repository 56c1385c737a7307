import { uploadMark } from '../../media/upload-mark.js';
import { readableCards, readablePlace } from '../../messages/readable-content.js';
import type { SentParts } from '../../messages/sent-parts.js';
import type { JsonObject } from '../../values/network-json.js';
import type { RecordId } from '../../values/record-id.js';
import type { SentList } from './list-message.js';

export const MEDIA_TYPES = ['image', 'video', 'audio', 'document', 'sticker'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];
export const FREE_FORM_TYPES = [
  'text',
  ...MEDIA_TYPES,
  'list',
  'location',
  'location_request',
  'contacts',
  'reaction',
] as const;
export type FreeFormType = (typeof FREE_FORM_TYPES)[number];

export const isMediaType = (type: unknown): type is MediaType => MEDIA_TYPES.some((each) => each === type);

/** The content of a free-form message that has passed the rules. */
export type FreeFormContent =
  | TextContent
  | MediaContent
  | ListContent
  | LocationContent
  | LocationRequestContent
  | ContactsContent
  | ReactionContent;

export interface TextContent {
  readonly type: 'text';
  readonly text: string;
  readonly buttons: Buttons | null;
  /** Whether a preview of the first link is shown. */
  readonly previewUrl?: boolean;
}

/** Where a file is that is sent: at a URL, or uploaded. */
export type MediaSource = { readonly url: string } | { readonly fileId: RecordId };

export interface MediaContent {
  readonly type: MediaType;
  readonly source: MediaSource;
  readonly caption: string | null;
  readonly filename: string | null;
  /** Whether a sound is sent as a voice message. */
  readonly voice?: boolean;
}

/** A text with a menu. */
export interface ListContent {
  readonly type: 'list';
  readonly text: string;
  readonly list: SentList;
}

export interface LocationContent {
  readonly type: 'location';
  readonly location: SentLocation;
}

/** A text with a button that sends the contact's location. */
export interface LocationRequestContent {
  readonly type: 'location_request';
  readonly text: string;
}

/** Contact cards, in the network's shape. */
export interface ContactsContent {
  readonly type: 'contacts';
  readonly cards: readonly JsonObject[];
}

/** An emoji on a message; an empty one takes it back. */
export interface ReactionContent {
  readonly type: 'reaction';
  readonly messageId: RecordId;
  readonly emoji: string;
}

export interface SentLocation {
  readonly latitude: number;
  readonly longitude: number;
  readonly name?: string;
  readonly address?: string;
}

export type Buttons =
  | { readonly type: 'reply'; readonly replies: readonly { readonly id: string; readonly title: string }[] }
  | { readonly type: 'cta_url'; readonly displayText: string; readonly url: string };

/** The text by which a person knows the message. */
export function readableText(content: FreeFormContent): string {
  switch (content.type) {
    case 'text':
    case 'list':
    case 'location_request':
      return content.text;
    case 'location':
      return readablePlace(content.location);
    case 'contacts':
      return readableCards(content.cards);
    case 'reaction':
      return content.emoji;
    default:
      return content.caption ?? '';
  }
}

/** What the record shows besides the text and what it names; of a file, its sender adds what is known of it. */
export function partsOfContent(content: FreeFormContent): SentParts {
  switch (content.type) {
    case 'text':
      return { ...buttonsPart(content.buttons), ...(content.previewUrl === true && { preview_url: true }) };
    case 'list':
      return { list: content.list };
    case 'location':
      return { location: content.location };
    case 'contacts':
      return { contacts: content.cards };
    default:
      return {};
  }
}

function buttonsPart(buttons: Buttons | null): Pick<SentParts, 'buttons'> {
  if (buttons === null) return {};
  if (buttons.type === 'reply') return { buttons: { type: 'reply', reply_buttons: [...buttons.replies] } };
  const { displayText, url } = buttons;
  return { buttons: { type: 'cta_url', url_button: { display_text: displayText, url } } };
}

/**
 * The network's request body for a message, without the recipient and our id.
 *
 * @param reactsTo the network's id of the message that a reaction names
 */
export function freeFormBody(content: FreeFormContent, reactsTo = ''): Readonly<Record<string, unknown>> {
  const common = { messaging_product: 'whatsapp', recipient_type: 'individual' };
  switch (content.type) {
    case 'text':
      return content.buttons === null
        ? { ...common, type: 'text', text: { body: content.text, preview_url: content.previewUrl ?? false } }
        : { ...common, type: 'interactive', interactive: interactiveText(content.text, content.buttons) };
    case 'list': {
      const { text, list } = content;
      return { ...common, type: 'interactive', interactive: { type: 'list', body: { text }, action: list } };
    }
    case 'location_request': {
      const action = { name: 'send_location' };
      const interactive = { type: 'location_request_message', body: { text: content.text }, action };
      return { ...common, type: 'interactive', interactive };
    }
    case 'location':
      return { ...common, type: 'location', location: content.location };
    case 'contacts':
      return { ...common, type: 'contacts', contacts: content.cards };
    case 'reaction':
      return { ...common, type: 'reaction', reaction: { message_id: reactsTo, emoji: content.emoji } };
    default:
      return { ...common, type: content.type, [content.type]: mediaBody(content) };
  }
}

const mediaBody = ({ source, caption, filename, voice }: MediaContent): object => ({
  ...('url' in source ? { link: source.url } : { id: uploadMark(source.fileId) }),
  ...(caption === null ? {} : { caption }),
  ...(filename === null ? {} : { filename }),
  ...(voice === true && { voice }),
});

const interactiveText = (text: string, buttons: Buttons): object =>
  buttons.type === 'reply'
    ? {
        type: 'button',
        body: { text },
        action: { buttons: buttons.replies.map((reply) => ({ type: 'reply', reply })) },
      }
    : {
        type: 'cta_url',
        body: { text },
        action: { name: 'cta_url', parameters: { display_text: buttons.displayText, url: buttons.url } },
      };
