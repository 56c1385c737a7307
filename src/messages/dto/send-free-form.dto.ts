import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { Id, OneOf, Optional, PhoneDigitsOr, Text, UserIdText } from '../../http/field-rules.js';
import { SuccessResponse } from '../../http/responses.dto.js';
import { FREE_FORM_TYPES, type FreeFormType } from '../sending/free-form-rules.js';
import type { SentMessage } from '../sending/sent-message.js';

/** A reply button. */
export class ReplyButton {
  @ApiProperty({ maxLength: 256, description: 'Sent back in the webhook when the button is tapped' })
  id: string;

  @ApiProperty({ maxLength: 20, description: 'Unique in the message' })
  title: string;
}

/** A button that opens a URL. */
export class UrlButton {
  @ApiProperty({ maxLength: 20 })
  display_text: string;

  @ApiProperty({ description: 'Starts with http:// or https://' })
  url: string;
}

/** Buttons below a text. */
export class MessageButtons {
  @ApiProperty({ enum: ['reply', 'cta_url'] })
  type: 'reply' | 'cta_url';

  @ApiPropertyOptional({ type: [ReplyButton], minItems: 1, maxItems: 3 })
  reply_buttons?: ReplyButton[];

  @ApiPropertyOptional({ type: UrlButton })
  url_button?: UrlButton;
}

/** Body of `POST /api/v1/messages/send-message`; free-form-rules.ts checks the fields that depend on the type. */
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
  @Text({ max: 256, blank: true })
  contact_name?: string;

  @OneOf(FREE_FORM_TYPES)
  message_type: FreeFormType;

  @ApiPropertyOptional({
    type: String,
    maxLength: 4096,
    description: 'Required for text; at most 1,024 characters with buttons',
  })
  @Allow()
  message?: unknown;

  @ApiPropertyOptional({ type: String, description: 'Required for media: a publicly accessible URL' })
  @Allow()
  media_url?: unknown;

  @ApiPropertyOptional({ type: String, maxLength: 1024, description: 'Image, video and document only' })
  @Allow()
  caption?: unknown;

  @ApiPropertyOptional({ type: String, description: 'Document only' })
  @Allow()
  filename?: unknown;

  @ApiProperty({ description: 'Default: the account’s primary number' })
  @Optional()
  @Id()
  waba_phone_id?: string;

  @ApiPropertyOptional({ type: MessageButtons, description: 'Text only' })
  @Allow()
  buttons?: unknown;
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
