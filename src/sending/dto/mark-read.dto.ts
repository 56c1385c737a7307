import { ApiProperty } from '@nestjs/swagger';
import { Id, Optional, TrueOrFalse } from '../../http/field-rules.js';
import { SuccessResponse } from '../../http/responses.dto.js';
import type { ContactRef } from '../../people/contact-ref.js';
import type { RecordId } from '../../values/record-id.js';
import type { ReadOrder } from '../single/read-receipts.service.js';

/** Body of `POST /api/v1/conversations/{contact_phone}/read`. */
export class MarkReadRequest {
  @ApiProperty({
    default: false,
    description: 'Whether the contact sees that you are typing: until your answer comes, or for 25 seconds',
  })
  @Optional()
  @TrueOrFalse()
  typing?: boolean | null;

  @ApiProperty({ description: 'Default: the business phone that the contact wrote to last' })
  @Optional()
  @Id()
  waba_phone_id?: string | null;

  toOrder(contact: ContactRef): ReadOrder {
    return { contact, wabaPhoneId: this.waba_phone_id ?? null, typing: this.typing ?? false };
  }
}

/** Response of `POST /api/v1/conversations/{contact_phone}/read`. */
export class MarkReadResponse extends SuccessResponse {
  @ApiProperty()
  message: string;

  @ApiProperty({ format: 'uuid', description: 'The newest message of the contact' })
  message_id: string;

  static from(messageId: RecordId): MarkReadResponse {
    return { status: 'success', message: 'Conversation marked as read', message_id: messageId };
  }
}
