import { ApiProperty } from '@nestjs/swagger';
import { Id, Optional, PhoneDigitsOr, Text, UserIdText } from '../../http/field-rules.js';
import { SuccessResponse } from '../../http/responses.dto.js';
import type { SentMessage } from '../../messages/history/sent-message.js';
import { MAX_CONTACT_NAME } from '../../people/contact-name.js';
import { SendingFields } from '../../templates/dto/sending-fields.dto.js';
import { MAX_LANGUAGE, MAX_TEMPLATE_NAME } from '../../templates/template.js';
import { AgentUserId, Reference, ReplyTo } from './send-extras.js';

/** Body of `POST /api/v1/messages/send`. */
export class SendTemplateRequest extends SendingFields {
  @ApiProperty({ description: 'Case-sensitive' })
  @Text({ max: MAX_TEMPLATE_NAME })
  template_name: string;

  @ApiProperty({ description: 'Required if the template exists in several languages' })
  @Optional()
  @Text({ max: MAX_LANGUAGE, blank: true })
  template_language?: string;

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

  @ApiProperty({ description: 'Used if the contact has no name yet; default: `User #` and six digits' })
  @Optional()
  @Text({ max: MAX_CONTACT_NAME, blank: true })
  contact_name?: string;

  @ApiProperty({ description: 'Default: the account’s primary number' })
  @Optional()
  @Id()
  waba_phone_id?: string;

  @ReplyTo()
  reply_to?: string;

  @AgentUserId()
  agent_user_id?: string;

  @Reference()
  reference?: string;
}

/** Response of `POST /api/v1/messages/send`. */
export class SendTemplateResponse extends SuccessResponse {
  @ApiProperty()
  message: string;

  @ApiProperty({ format: 'uuid' })
  message_id: string;

  @ApiProperty({ format: 'uuid' })
  contact_id: string;

  @ApiProperty()
  template_name: string;

  @ApiProperty({ format: 'date-time' })
  timestamp: string;

  static from(sent: SentMessage, templateName: string): SendTemplateResponse {
    return {
      status: 'success',
      message: 'The network accepted the message',
      message_id: sent.messageId,
      contact_id: sent.contactId,
      template_name: templateName,
      timestamp: sent.at.toISOString(),
    };
  }
}
