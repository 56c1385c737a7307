import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { hexOf, type MediaState, mediaPath } from '../media/message-media.js';
import type { JsonObject } from '../values/network-json.js';
import type { RecordId } from '../values/record-id.js';
import { contextOf, type MediaFacts, type ReadMessage, referralOf } from './inbound-kinds.js';

/** An object in the network's shape. */
const InNetworkShape = (description: string, example: object): PropertyDecorator =>
  ApiPropertyOptional({ type: 'object', additionalProperties: true, description, example });

/** A file that came with a message, and what has become of it. */
export class MediaPart {
  @ApiProperty({ type: String, nullable: true, example: 'image/jpeg', description: 'As the network says' })
  mime_type: string | null;

  @ApiProperty({ type: String, nullable: true, example: null, description: 'Documents only' })
  filename: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 48_213, description: 'Bytes; null until it is stored' })
  size: number | null;

  @ApiProperty({ type: String, nullable: true, example: null, description: 'In lower-case hex' })
  sha256: string | null;

  @ApiProperty({ example: false, description: 'Whether it was recorded in the chat: a voice message' })
  voice: boolean;

  @ApiProperty({ example: false, description: 'Whether a sticker moves' })
  animated: boolean;

  @ApiProperty({
    enum: ['pending', 'stored', 'gone', 'too_large', 'refused'],
    description:
      '`pending` until it is fetched; `gone` when the network or Parley no longer has it, and for a file that was sent ' +
      'by `media_url`',
  })
  status: string;

  @ApiPropertyOptional({
    example: '/api/v1/messages/019c1363-49c0-721a-9dfd-5d80a9a39e72/media',
    description: 'The path of the API that serves it; absent with `link`',
  })
  url?: string;

  @ApiPropertyOptional({
    example: 'https://example.com/invoice-4711.pdf',
    description: 'The `media_url` that it was sent by, instead of `url`: Parley keeps no copy of such a file',
  })
  link?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Of the upload that it was sent by' })
  media_id?: string;
}

/** A place, in the network's shape. */
export class LocationPart {
  @ApiProperty({ example: 52.520008 })
  latitude: number;

  @ApiProperty({ example: 13.404954 })
  longitude: number;

  @ApiPropertyOptional({ example: 'Warehouse North' })
  name?: string;

  @ApiPropertyOptional({ example: 'Example Street 1, Berlin' })
  address?: string;

  @ApiPropertyOptional({ example: 'https://example.com/warehouse' })
  url?: string;
}

/** What a person chose or filled in. */
export class InteractivePart {
  @ApiProperty({
    example: 'list_reply',
    description:
      '`button` for the quick reply of a template, `button_reply`, `list_reply`, `flow` for a form, or another',
  })
  type: string;

  @ApiPropertyOptional({ type: String, nullable: true, example: 'morning', description: 'Of a button or list entry' })
  id?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, example: 'In the morning' })
  title?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, example: '8 to 12', description: 'Of a list entry' })
  description?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, example: 'flow', description: 'Of a form' })
  name?: string | null;

  @ApiPropertyOptional({
    description: 'What was filled into a form, parsed; null when it is not JSON',
    nullable: true,
    type: 'object',
    additionalProperties: true,
    example: { delivery_day: '2026-02-03', persons: 4 },
  })
  response?: unknown;
}

/** A message that another one names. */
class NamedMessageField {
  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Null for one that Parley does not know' })
  message_id: string | null;

  @ApiPropertyOptional({ example: 'wamid.HBgLMTU1NTk5OTAxMDA', description: 'Only if `message_id` is null' })
  network_message_id?: string;
}

/** An emoji on a message. */
export class ReactionPart extends NamedMessageField {
  @ApiProperty({ example: '👍', description: 'Empty in a message of yours that takes your reaction back' })
  emoji: string;
}

/** What a message refers to. */
export class ContextPart extends NamedMessageField {
  @ApiProperty({ example: false })
  forwarded: boolean;

  @ApiProperty({ example: false, description: 'Forwarded more than five times' })
  frequently_forwarded: boolean;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    example: null,
    description: 'The product of a catalogue that it asks about: `catalog_id` and `product_retailer_id`',
  })
  referred_product: JsonObject | null;
}

/** The structured contents of a message; only those that it has are present. */
export class MessageParts {
  @ApiPropertyOptional({ type: MediaPart })
  media?: MediaPart;

  @ApiPropertyOptional({ type: LocationPart })
  location?: LocationPart;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'Contact cards, in the network’s shape',
    example: [
      { name: { formatted_name: 'Casey Example' }, phones: [{ phone: '+1 555 999 0100', wa_id: '15559990100' }] },
    ],
  })
  contacts?: unknown[];

  @InNetworkShape('An order from a catalogue, in the network’s shape: `catalog_id`, `text`, `product_items`', {
    catalog_id: '1234567890',
    text: 'As a gift, please',
    product_items: [{ product_retailer_id: 'mug-blue', quantity: 2, item_price: 9.5, currency: 'EUR' }],
  })
  order?: JsonObject;

  @ApiPropertyOptional({ type: InteractivePart })
  interactive?: InteractivePart;

  @ApiPropertyOptional({ type: ReactionPart })
  reaction?: ReactionPart;

  @ApiPropertyOptional({ type: ContextPart })
  context?: ContextPart;

  @InNetworkShape('The advertisement or post that the contact came from, in the network’s shape, with `ctwa_clid`', {
    source_type: 'ad',
    source_id: '120210000000000001',
    source_url: 'https://fb.example/spring',
    ctwa_clid: 'ARAkLkA8rmlFeiCktEJQ',
  })
  referral?: JsonObject;

  @InNetworkShape('The message as it arrived; only if nothing else above says what is in it', {
    type: 'hologram',
    hologram: { id: '1' },
  })
  raw?: JsonObject;
}

/** What the parts of a message need from elsewhere. */
export interface PartsSources {
  readonly messageId: RecordId;
  /** The state of its file; null when none is kept. */
  readonly media: MediaState | null;
  /** Our id of the message with one of the network's ids; null when Parley does not know it. */
  readonly idOf: (networkMessageId: string) => RecordId | null;
}

/** The parts of a message, from what the network delivered. */
export function partsOf(payload: JsonObject, { contents }: ReadMessage, sources: PartsSources): MessageParts {
  const { media, location, contacts, order, interactive, reaction, raw } = contents;
  const context = contextOf(payload);
  const referral = referralOf(payload);
  return {
    ...(media && { media: mediaPart(media, sources) }),
    ...(location && { location }),
    ...(contacts && { contacts: [...contacts] }),
    ...(order && { order }),
    ...(interactive && { interactive }),
    ...(reaction && { reaction: { ...named(reaction.names, sources), emoji: reaction.emoji } }),
    ...(context && {
      context: {
        ...named(context.names, sources),
        forwarded: context.forwarded,
        frequently_forwarded: context.frequentlyForwarded,
        referred_product: context.referredProduct,
      },
    }),
    ...(referral && { referral }),
    ...(raw && { raw }),
  };
}

function mediaPart({ mimeType, filename, sha256, voice, animated }: MediaFacts, sources: PartsSources): MediaPart {
  const { media, messageId } = sources;
  return {
    mime_type: media?.mimeType ?? mimeType,
    filename: media?.filename ?? filename,
    size: media?.size ?? null,
    sha256: media?.sha256 ?? hexOf(sha256),
    voice,
    animated,
    status: media?.status ?? 'gone',
    url: media?.url ?? mediaPath(messageId),
  };
}

function named(
  names: string | null,
  { idOf }: PartsSources,
): { message_id: RecordId | null; network_message_id?: string } {
  const id = names === null ? null : idOf(names);
  return { message_id: id, ...(names !== null && id === null && { network_message_id: names }) };
}
