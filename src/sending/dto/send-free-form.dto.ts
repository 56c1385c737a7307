import { ApiProperty } from '@nestjs/swagger';
import type { Caller } from '../../auth/caller.js';
import { MAX_URL_CHARACTERS } from '../../egress/url-rules.js';
import { ByBody, Id, OneOf, Optional, PhoneDigitsOr, Text, TrueOrFalse, UserIdText } from '../../http/field-rules.js';
import { UNUSED_FIELDS } from '../../http/ignored-fields.js';
import { ObjectList, ObjectOf } from '../../http/list-rules.js';
import { Checked } from '../../http/request-fields.js';
import { SuccessResponse } from '../../http/responses.dto.js';
import type { SentMessage } from '../../messages/history/sent-message.js';
import { MAX_CONTACT_NAME } from '../../people/contact-name.js';
import { contactOfBody } from '../../people/contact-ref.js';
import { LocationField } from '../../templates/dto/sending-fields.dto.js';
import { FREE_FORM_TYPES, type FreeFormContent, type FreeFormType, isMediaType } from '../single/free-form-content.js';
import { BUTTONS_TYPES, MAX_SHORT_TEXT, readFreeForm } from '../single/free-form-rules.js';
import type { FreeFormSend } from '../single/free-form-sender.service.js';
import { ContactCardField, ListField, SentReactionField } from './free-form-parts.dto.js';
import { AgentUserId, extrasOf, Reference, ReplyTo } from './send-extras.js';

/** The network's limits, characters. */
const MAX_TEXT = 4096;
const MAX_CAPTION = 1024;
const MAX_FILENAME = 240;
const MAX_BUTTON_ID = 256;
const MAX_BUTTON_LABEL = 20;
const MAX_BUTTON_URL = 2048;
const REPLY_BUTTONS = { min: 1, max: 3 } as const;
const MAX_CARDS = 257;

/** A reply button. */
export class ReplyButton {
  @ApiProperty({ description: 'Sent back in the webhook when the button is tapped' })
  @Text({ max: MAX_BUTTON_ID })
  id: unknown;

  @ApiProperty({ description: 'Unique in the message' })
  @Text({ max: MAX_BUTTON_LABEL })
  title: unknown;
}

/** A button that opens a URL. */
export class UrlButton {
  @Text({ max: MAX_BUTTON_LABEL })
  display_text: unknown;

  @ApiProperty({ description: 'Starts with http:// or https://' })
  @Text({ max: MAX_BUTTON_URL })
  url: unknown;
}

/** Buttons below a text. */
export class MessageButtons {
  @OneOf(BUTTONS_TYPES)
  type: unknown;

  @Optional()
  @ObjectList(ReplyButton, { ...REPLY_BUTTONS, noun: 'items' })
  reply_buttons?: unknown;

  @Optional()
  @ObjectOf(UrlButton)
  url_button?: unknown;
}

/** Body of `POST /api/v1/messages/send-message`. What its content may be depends on the type of message. */
@Checked((body: SendFreeFormRequest) => body.content())
export class SendFreeFormRequest {
  @ApiProperty({
    description: 'Digits with the country code first, no +; required without contact_user_id',
    example: '4915123456789',
  })
  @PhoneDigitsOr('contact_user_id')
  contact_phone?: string;

  @ApiProperty({
    description: 'Instead of contact_phone: the network’s id of a contact who may hide their number',
    example: 'US.13491208655302741918',
  })
  @Optional()
  @UserIdText()
  contact_user_id?: string;

  @ApiProperty({ description: 'Used if the contact has no name yet' })
  @Optional()
  @Text({ max: MAX_CONTACT_NAME, blank: true })
  contact_name?: string;

  @OneOf(FREE_FORM_TYPES)
  message_type: FreeFormType;

  @ApiProperty({
    description:
      `Required for text, list and location_request; at most ${MAX_SHORT_TEXT.toLocaleString('en')} characters with ` +
      'buttons and for location_request',
  })
  @ByBody()
  @Optional()
  @Text({ max: MAX_TEXT, blank: true })
  message?: unknown;

  @ApiProperty({
    description:
      'Required for media, stickers included, unless `media_id` is given: a publicly accessible URL, served under the ' +
      'Content-Type of an accepted format',
  })
  @ByBody()
  @Optional()
  @Text({ max: MAX_URL_CHARACTERS, blank: true })
  media_url?: unknown;

  @ApiProperty({ description: 'Instead of `media_url`: the id of a file from `POST /api/v1/media`' })
  @ByBody()
  @Optional()
  @Id()
  media_id?: unknown;

  @ApiProperty({ description: 'Image, video and document only' })
  @ByBody()
  @Optional()
  @Text({ max: MAX_CAPTION, blank: true })
  caption?: unknown;

  @ApiProperty({
    description:
      'Document only; default: the last part of the path of `media_url` or the name of the upload, or `document` and the extension of ' +
      'its type',
  })
  @ByBody()
  @Optional()
  @Text({ max: MAX_FILENAME, blank: true })
  filename?: unknown;

  @ApiProperty({ description: 'Default: the account’s primary number' })
  @Optional()
  @Id()
  waba_phone_id?: string;

  @ApiProperty({ description: 'Text only' })
  @ByBody()
  @Optional()
  @ObjectOf(MessageButtons)
  buttons?: unknown;

  @ApiProperty({ description: 'Text without buttons only: shows a preview of the first link in it', default: false })
  @Optional()
  @TrueOrFalse()
  preview_url?: boolean;

  @ApiProperty({ description: 'Audio only: sends an OGG file as a voice message', default: false })
  @Optional()
  @TrueOrFalse()
  voice?: boolean;

  @ApiProperty({ description: 'Required for list: a menu below `message`, from which the contact picks one row' })
  @ByBody()
  @Optional()
  @ObjectOf(ListField)
  list?: unknown;

  @ApiProperty({ description: 'Required for location' })
  @Optional()
  @ObjectOf(LocationField)
  location?: LocationField;

  @ApiProperty({ description: 'Required for contacts: contact cards, in the network’s shape' })
  @Optional()
  @ObjectList(ContactCardField, { max: MAX_CARDS })
  contacts?: ContactCardField[];

  @ApiProperty({ description: 'Required for reaction: an emoji on a message' })
  @Optional()
  @ObjectOf(SentReactionField)
  reaction?: SentReactionField;

  @ReplyTo()
  reply_to?: string;

  @AgentUserId()
  agent_user_id?: string;

  @Reference()
  reference?: string;

  private read: FreeFormContent | undefined;

  /** @throws DomainError for what is wrong with it */
  content(): FreeFormContent {
    this.read ??= readFreeForm(this);
    return this.read;
  }

  toSend(caller: Caller): FreeFormSend {
    return {
      content: this.content(),
      contact: contactOfBody(this),
      contactName: this.contact_name ?? null,
      wabaPhoneId: this.waba_phone_id ?? null,
      extras: extrasOf(this, caller),
    };
  }

  /** Fields that a message of this type does not use, and that are not refused either. */
  static [UNUSED_FIELDS]({ message_type }: Readonly<Record<string, unknown>>): readonly string[] {
    // Nobody knows what a type needs that does not exist.
    if (!FREE_FORM_TYPES.includes(message_type as FreeFormType)) return [];
    const hasText = message_type === 'text' || message_type === 'list' || message_type === 'location_request';
    return [...(hasText ? [] : ['message']), ...(isMediaType(message_type) ? [] : ['media_url', 'media_id'])];
  }
}

/** Response of `POST /api/v1/messages/send-message`. */
export class SendFreeFormResponse extends SuccessResponse {
  @ApiProperty()
  message: string;

  @ApiProperty({ format: 'uuid' })
  message_id: string;

  @ApiProperty({ format: 'uuid' })
  contact_id: string;

  @ApiProperty({ enum: FREE_FORM_TYPES })
  message_type: FreeFormType;

  @ApiProperty({ format: 'date-time' })
  timestamp: string;

  static from(sent: SentMessage, messageType: FreeFormType): SendFreeFormResponse {
    return {
      status: 'success',
      message: 'The network accepted the message',
      message_id: sent.messageId,
      contact_id: sent.contactId,
      message_type: messageType,
      timestamp: sent.at.toISOString(),
    };
  }
}
