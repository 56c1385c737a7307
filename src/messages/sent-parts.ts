import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { mediaPath } from '../media/message-media.js';
import { PreviewButton } from '../templates/rendering/preview-button.js';
import type { TemplateLook } from '../templates/rendering/template-message.js';
import { now } from '../values/clock.js';
import { isObject, type JsonObject } from '../values/network-json.js';
import type { RecordId } from '../values/record-id.js';
import { type LocationPart, type MediaPart, MessageParts } from './message-parts.js';

/** A button that a contact can tap. */
export class SentReplyButton {
  @ApiProperty({ example: 'yes', description: 'Comes back in `button.clicked`' })
  id: string;

  @ApiProperty({ example: 'Yes, please' })
  title: string;
}

/** A button that opens a website. */
export class SentUrlButton {
  @ApiProperty({ example: 'Track it' })
  display_text: string;

  @ApiProperty({ example: 'https://example.com/orders/4711' })
  url: string;
}

/** The buttons of a text, as they were sent. */
export class ButtonsPart {
  @ApiProperty({ enum: ['reply', 'cta_url'] })
  type: 'reply' | 'cta_url';

  @ApiPropertyOptional({ type: [SentReplyButton], description: 'Only if `type` is `reply`' })
  reply_buttons?: SentReplyButton[];

  @ApiPropertyOptional({ type: SentUrlButton, description: 'Only if `type` is `cta_url`' })
  url_button?: SentUrlButton;
}

/** A row of a list. */
export class ListRowPart {
  @ApiProperty({ example: 'morning' })
  id: string;

  @ApiProperty({ example: 'In the morning' })
  title: string;

  @ApiPropertyOptional({ example: '8 to 12' })
  description?: string;
}

/** A section of a list. */
export class ListSectionPart {
  @ApiPropertyOptional({ example: 'Tomorrow' })
  title?: string;

  @ApiProperty({ type: [ListRowPart] })
  rows: readonly ListRowPart[];
}

/** A menu, from which the contact picks one row. */
export class ListPart {
  @ApiProperty({ example: 'Choose a time' })
  button: string;

  @ApiProperty({ type: [ListSectionPart] })
  sections: readonly ListSectionPart[];
}

/** A template as its recipient sees it. */
export class RenderedPart {
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Order 4711',
    description: 'Text, media URL or location of the header',
  })
  header: string | null;

  @ApiProperty({ example: 'Your order is on its way.', description: 'A one-time code is shown as `•`' })
  body: string;

  @ApiProperty({ type: String, nullable: true, example: null })
  footer: string | null;

  @ApiProperty({ type: [PreviewButton] })
  buttons: PreviewButton[];
}

/** The parts of a message in either direction: those of a received one, and what was sent. */
export class RecordParts extends MessageParts {
  @ApiPropertyOptional({ type: ButtonsPart, description: 'The buttons that were sent below a text' })
  buttons?: ButtonsPart;

  @ApiPropertyOptional({ type: ListPart, description: 'The menu that was sent below a text' })
  list?: ListPart;

  @ApiPropertyOptional({
    type: 'string',
    format: 'uuid',
    description: 'The message that a message of yours quotes; what a contact quotes is in `context`',
  })
  reply_to?: string;

  @ApiPropertyOptional({ example: true, description: 'Present if the text shows a preview of its first link' })
  preview_url?: true;

  @ApiPropertyOptional({
    type: RenderedPart,
    description:
      'A sent template with its values, as in a preview; absent when Parley no longer knows, as for single messages ' +
      'that were sent before it stored this',
  })
  rendered?: RenderedPart;
}

/**
 * What the record of a message of ours shows besides its text, in the shape of the record. It is stored with the message,
 * so it holds nothing that another column has.
 */
export interface SentParts {
  readonly media?: SentFile;
  readonly buttons?: ButtonsPart;
  readonly list?: ListPart;
  readonly location?: LocationPart;
  readonly contacts?: readonly unknown[];
  readonly preview_url?: true;
  readonly rendered?: StoredLook;
}

/** A file that was sent by its address, of which Parley keeps no copy, or by the id of an upload. */
export interface SentFile extends Pick<MediaPart, 'mime_type' | 'filename' | 'size' | 'link' | 'media_id'> {
  /** Until when an upload is kept at least. */
  readonly expires_at?: string;
  readonly voice?: boolean;
  readonly animated?: boolean;
}

/** What a template shows around the body; null and empty fields are left out. */
export type StoredLook = Partial<Omit<RenderedPart, 'body'>>;

/** How what was sent is stored: apart from what the network delivers, which is stored as it arrived. */
interface SentPayload {
  readonly sent: SentParts;
}

/** @returns JSON; null when there is nothing to store */
export const sentPayload = (sent: SentParts): string | null =>
  Object.keys(sent).length === 0 ? null : JSON.stringify({ sent } satisfies SentPayload);

/** What was sent, as stored; null for a message that was received, or of which nothing is stored. */
export function storedParts(payload: unknown): SentParts | null {
  const sent = isObject(payload) ? payload['sent'] : null;
  return isObject(sent) ? (sent satisfies JsonObject as SentParts) : null;
}

/** @param look how a template was filled in */
export const storedLook = ({ header, footer, buttons }: TemplateLook): StoredLook => ({
  ...(header === null ? {} : { header }),
  ...(footer === null ? {} : { footer }),
  ...(buttons.length === 0 ? {} : { buttons: buttons.map(PreviewButton.from) }),
});

/** What the record shows of a template. */
export const renderedPart = ({ header, footer, buttons }: StoredLook, body: string): RenderedPart => ({
  header: header ?? null,
  body,
  footer: footer ?? null,
  buttons: buttons ?? [],
});

/** What the record shows of what was sent. @param body the text of the message */
export function sentPartsOf(sent: SentParts, { id, content: body }: SentRow): RecordParts {
  const { media, buttons, list, location, contacts, preview_url, rendered } = sent;
  return {
    ...(media && { media: sentMedia(media, id) }),
    ...(buttons && { buttons }),
    ...(list && { list }),
    ...(location && { location }),
    ...(contacts && { contacts: [...contacts] }),
    ...(preview_url && { preview_url }),
    ...(rendered && { rendered: renderedPart(rendered, body) }),
  };
}

interface SentRow {
  readonly id: RecordId;
  readonly content: string;
}

function sentMedia({ link, media_id, expires_at, ...file }: SentFile, messageId: RecordId): MediaPart {
  const { mime_type, filename, size, voice = false, animated = false } = file;
  const isKept = expires_at !== undefined && new Date(expires_at) > now();
  return {
    ...{ mime_type, filename, size, sha256: null, voice, animated, status: isKept ? 'stored' : 'gone' },
    ...(media_id === undefined ? { link } : { url: mediaPath(messageId), media_id }),
  };
}
