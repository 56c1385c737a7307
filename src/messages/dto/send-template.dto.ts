import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Id, Optional, PhoneDigits, Text } from '../../http/field-rules.js';
import { SuccessResponse } from '../../http/responses.dto.js';
import { SendingFields } from '../../templates/dto/sending-fields.dto.js';

/** Body of `POST /api/v1/messages/send` (SPEC §1, D12). */
export class SendTemplateRequest extends SendingFields {
  @ApiProperty({ description: 'Case-sensitive' })
  @Text({ max: 512 })
  template_name: string;

  @ApiPropertyOptional({ description: 'Needed when the template exists in several languages (D53)' })
  @Optional()
  @Text({ max: 16 })
  template_language?: string;

  @ApiProperty({ description: 'Digits with the country code first, no +', example: '4915123456789' })
  @PhoneDigits()
  contact_phone: string;

  @ApiPropertyOptional({ description: 'Names a contact that has no name yet; default `User #` and six digits' })
  @Optional()
  @Text({ max: 256, blank: true })
  contact_name?: string;

  @ApiPropertyOptional({ description: 'Default: the account’s primary number' })
  @Optional()
  @Id()
  waba_phone_id?: string;
}

/** Answer of `POST /api/v1/messages/send`. */
export class SendTemplateResponse extends SuccessResponse {
  @ApiProperty()
  message: string;

  @ApiProperty()
  message_id: string;

  @ApiProperty()
  contact_id: string;

  @ApiProperty()
  template_name: string;

  @ApiProperty()
  timestamp: string;

  static from(sent: { messageId: string; contactId: string; at: Date }, templateName: string): SendTemplateResponse {
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
