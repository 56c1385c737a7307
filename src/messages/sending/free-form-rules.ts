import { EgressError } from '../../egress/egress-error.js';
import { parseEgressUrl } from '../../egress/url-rules.js';
import { badRequest, type DomainError, unprocessable } from '../../errors/domain-error.js';
import { characters, isAbsent, isPlainObject, shown, wrongType } from '../../http/field-rules.js';
import { parseUrl } from '../../values/parse-url.js';

export const FREE_FORM_TYPES = ['text', 'image', 'video', 'audio', 'document'] as const;
export type FreeFormType = (typeof FREE_FORM_TYPES)[number];

/** Limits in Unicode code points. */
const MAX_TEXT = 4096;
const MAX_TEXT_WITH_BUTTONS = 1024;
const MAX_CAPTION = 1024;
const MAX_FILENAME = 240;
const MAX_URL = 2048;
const MAX_REPLY_BUTTONS = 3;
const MAX_BUTTON_ID = 256;
const MAX_BUTTON_LABEL = 20;

/** A free-form message as requested; no rules are checked yet. */
export interface FreeFormDraft {
  readonly messageType: FreeFormType;
  readonly message: unknown;
  readonly mediaUrl: unknown;
  readonly caption: unknown;
  readonly filename: unknown;
  readonly buttons: unknown;
}

/** The content of a free-form message that has passed the rules. */
export type FreeFormContent =
  | { readonly type: 'text'; readonly text: string; readonly buttons: Buttons | null }
  | {
      readonly type: Exclude<FreeFormType, 'text'>;
      readonly mediaUrl: string;
      readonly caption: string | null;
      readonly filename: string | null;
    };

export type Buttons =
  | { readonly type: 'reply'; readonly replies: readonly { readonly id: string; readonly title: string }[] }
  | { readonly type: 'cta_url'; readonly displayText: string; readonly url: string };

const isBlank = (value: unknown): boolean => isAbsent(value) || (typeof value === 'string' && value.trim() === '');

/**
 * Checks everything about a free-form message that depends on the request alone: shape first (400), then the rules of
 * buttons (422).
 *
 * @throws DomainError naming the field, the limit and the value
 */
export function readFreeForm(draft: FreeFormDraft): FreeFormContent {
  const { messageType, buttons } = draft;
  if (!isAbsent(buttons) && !isPlainObject(buttons)) throw badRequest(wrongType('buttons', 'an object', buttons));
  if (messageType === 'text') return isAbsent(buttons) ? plainText(draft) : textWithButtons(draft, buttons);
  const media = readMedia(draft, messageType);
  if (!isAbsent(buttons)) throw unprocessable(`buttons are only allowed with message_type text (got ${messageType})`);
  return media;
}

function plainText(draft: FreeFormDraft): FreeFormContent {
  const { message } = draft;
  if (isBlank(message)) throw badRequest('message is required when message_type is text');
  if (typeof message !== 'string') throw badRequest(wrongType('message', 'a string', message));
  checkLength('message', message, MAX_TEXT);
  refuseMediaFields(draft);
  return { type: 'text', text: message, buttons: null };
}

function textWithButtons(draft: FreeFormDraft, buttons: Record<string, unknown>): FreeFormContent {
  const { message } = draft;
  if (!isAbsent(message) && typeof message !== 'string') throw badRequest(wrongType('message', 'a string', message));
  refuseMediaFields(draft);
  if (isAbsent(message) || isBlank(message)) throw unprocessable('message is required when buttons are present');
  if (characters(message) > MAX_TEXT_WITH_BUTTONS) {
    throw unprocessable(
      `message must be at most ${MAX_TEXT_WITH_BUTTONS} characters when buttons are present (got ${characters(message)})`,
    );
  }
  return { type: 'text', text: message, buttons: readButtons(buttons) };
}

function refuseMediaFields({ caption, filename }: FreeFormDraft): void {
  if (!isAbsent(caption)) throw badRequest('caption is only allowed with message_type image, video or document');
  if (!isAbsent(filename)) throw badRequest('filename is only allowed with message_type document');
}

function readMedia(draft: FreeFormDraft, type: Exclude<FreeFormType, 'text'>): FreeFormContent {
  const { mediaUrl, caption, filename } = draft;
  if (isBlank(mediaUrl)) throw badRequest(`media_url is required when message_type is ${type}`);
  if (typeof mediaUrl !== 'string') throw badRequest(wrongType('media_url', 'a string', mediaUrl));
  checkLength('media_url', mediaUrl, MAX_URL);
  refuseMalformedUrl(mediaUrl);
  if (!isAbsent(caption)) {
    if (typeof caption !== 'string') throw badRequest(wrongType('caption', 'a string', caption));
    if (type === 'audio') throw badRequest('caption is not allowed with message_type audio');
    checkLength('caption', caption, MAX_CAPTION);
  }
  if (!isAbsent(filename)) {
    if (typeof filename !== 'string') throw badRequest(wrongType('filename', 'a string', filename));
    if (type !== 'document') throw badRequest(`filename is only allowed with message_type document (got ${type})`);
    checkLength('filename', filename, MAX_FILENAME);
  }
  return { type, mediaUrl, caption: orNull(caption), filename: orNull(filename) };
}

/** Refuses a malformed URL before the service window is checked; whether it can be fetched is checked afterwards. */
function refuseMalformedUrl(mediaUrl: string): void {
  try {
    parseEgressUrl(mediaUrl);
  } catch (error) {
    throw error instanceof EgressError ? badRequest(`media_url ${error.message}`) : error;
  }
}

const orNull = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);

const checkLength = (
  field: string,
  text: string,
  max: number,
  refuse: (message: string) => DomainError = badRequest,
) => {
  const found = characters(text);
  if (found > max) throw refuse(`${field} must be at most ${max} characters (got ${found})`);
};

/** Reads `buttons`; each violation of a rule is a 422. */
function readButtons(buttons: Record<string, unknown>): Buttons {
  const { type, reply_buttons: replies, url_button: website } = buttons;
  if (type !== 'reply' && type !== 'cta_url') {
    throw unprocessable(`buttons.type must be reply or cta_url (got ${JSON.stringify(type) ?? 'nothing'})`);
  }
  if (!isAbsent(replies) && !isAbsent(website)) {
    throw unprocessable('buttons must not combine reply_buttons and url_button');
  }
  return type === 'reply' ? readReplies(replies) : readWebsite(website);
}

function readReplies(replies: unknown): Buttons {
  if (!Array.isArray(replies)) throw unprocessable('buttons.reply_buttons is required when buttons.type is reply');
  if (replies.length === 0 || replies.length > MAX_REPLY_BUTTONS) {
    throw unprocessable(`buttons.reply_buttons must have 1 to ${MAX_REPLY_BUTTONS} items (got ${replies.length})`);
  }
  const read = replies.map((reply: unknown, index) => {
    const path = `buttons.reply_buttons[${index}]`;
    if (!isPlainObject(reply)) throw unprocessable(`${path} must be an object with id and title`);
    return {
      id: requiredText(`${path}.id`, reply['id'], MAX_BUTTON_ID),
      title: requiredText(`${path}.title`, reply['title'], MAX_BUTTON_LABEL),
    };
  });
  for (const field of ['title', 'id'] as const) {
    refuseDuplicates(
      field,
      read.map((reply) => reply[field]),
    );
  }
  return { type: 'reply', replies: read };
}

function readWebsite(website: unknown): Buttons {
  if (!isPlainObject(website)) throw unprocessable('buttons.url_button is required when buttons.type is cta_url');
  const displayText = requiredText('buttons.url_button.display_text', website['display_text'], MAX_BUTTON_LABEL);
  const url = requiredText('buttons.url_button.url', website['url'], MAX_URL);
  if (!/^https?:\/\//.test(url)) {
    throw unprocessable(`buttons.url_button.url must start with http:// or https:// (got ${shown(url)})`);
  }
  if (!/^https?:\/\/[^/?#]/.test(url) || parseUrl(url) === null) {
    throw unprocessable(`buttons.url_button.url must be a valid URL (got ${shown(url)})`);
  }
  return { type: 'cta_url', displayText, url };
}

function requiredText(path: string, value: unknown, max: number): string {
  if (isBlank(value)) throw unprocessable(`${path} is required`);
  if (typeof value !== 'string') throw unprocessable(`${path} must be a string`);
  checkLength(path, value, max, unprocessable);
  return value;
}

function refuseDuplicates(field: string, values: readonly string[]): void {
  const twice = values.find((value, index) => values.indexOf(value) !== index);
  if (twice !== undefined) {
    throw unprocessable(`buttons.reply_buttons must not repeat the same ${field} (got ${JSON.stringify(twice)} twice)`);
  }
}

/** The network's request body for the message, without the recipient and our id. */
export function freeFormBody(content: FreeFormContent): Readonly<Record<string, unknown>> {
  const common = { messaging_product: 'whatsapp', recipient_type: 'individual' };
  if (content.type !== 'text') {
    const { type, mediaUrl, caption, filename } = content;
    const media = {
      link: mediaUrl,
      ...(caption === null ? {} : { caption }),
      ...(filename === null ? {} : { filename }),
    };
    return { ...common, type, [type]: media };
  }
  const { text, buttons } = content;
  if (buttons === null) return { ...common, type: 'text', text: { body: text, preview_url: false } };
  const interactive =
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
  return { ...common, type: 'interactive', interactive };
}
