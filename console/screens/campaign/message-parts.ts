import type { TemplateRecord } from '../../../clients/typescript/src/generated/schema.js';
import type { ShownMessage, TextPiece } from '../../parts/shown-message.js';
import { words } from '../../words/en.js';
import type { Campaign } from './campaign-types.js';

type Values = Pick<Campaign, 'body_data' | 'header_data' | 'media_url' | 'filename' | 'location'>;
type Shown = Pick<
  TemplateRecord,
  'header_format' | 'body' | 'footer' | 'buttons' | 'components' | 'limited_time_offer' | 'carousel_cards'
>;

const VARIABLE = /\{\{\s*(\w+)\s*\}\}/g;

/** What fills a variable: a text, or a field of the contact with what stands in for it. */
type Value = string | { readonly contact_field?: string; readonly fallback?: string | null };

/** A text with its variables filled in, where the campaign has the same value for everybody. */
export function filled(text: string, values: Readonly<Record<string, unknown>>): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(VARIABLE)) {
    const [whole, name = ''] = match;
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), isFilled: false });
    pieces.push({ text: shownValue(values[name] as Value | undefined) ?? whole, isFilled: true });
    end = match.index + whole.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isFilled: false });
  return pieces;
}

/** Null for a value that each person has of their own. */
function shownValue(value: Value | undefined): string | null {
  const { field, own } = words.campaign.message;
  if (value === undefined) return own;
  if (typeof value === 'string') return value;
  const { contact_field = '' } = value;
  return field[contact_field] ?? contact_field.replaceAll('_', ' ');
}

/** A template with the values of a campaign. */
export function messageOf(template: Shown, values: Values): ShownMessage {
  const { body, footer, buttons, limited_time_offer: offer, carousel_cards: cards } = template;
  const header = headerText(template);
  return {
    title: header === null ? [] : filled(header, values.header_data),
    media: header === null ? mediaOf(template, values) : null,
    offer: offer?.text ?? null,
    body: filled(body, values.body_data),
    footer,
    buttons: buttons.map(({ type, text }) => ({
      text: text ?? type.toLowerCase().replaceAll('_', ' '),
      isReply: type === 'QUICK_REPLY',
    })),
    cards: cards === null || cards.length === 0 ? null : words.campaign.message.cards(cards.length),
  };
}

function headerText({ header_format, components }: Pick<Shown, 'header_format' | 'components'>): string | null {
  if (header_format !== 'TEXT') return null;
  const header = components.find((part) => String((part as { type?: unknown }).type).toUpperCase() === 'HEADER');
  const text = (header as { text?: unknown } | undefined)?.text;
  return typeof text === 'string' && text !== '' ? text : null;
}

/** The kind of the file above the text, and where it comes from: the page itself loads nothing from elsewhere. */
function mediaOf({ header_format }: Pick<Shown, 'header_format'>, values: Values): string | null {
  const { media, mediaFrom } = words.campaign.message;
  const kind = media[header_format];
  if (kind === undefined) return null;
  if (values.location !== null) return values.location.name ?? kind;
  const { media_url: url, filename } = values;
  if (filename !== null) return filename;
  return url !== null && URL.canParse(url) ? mediaFrom(kind, new URL(url).hostname) : kind;
}
