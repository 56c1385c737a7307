import { ApiProperty } from '@nestjs/swagger';
import { Id, OneOf, Optional, PhoneDigits, Text, UserIdText } from '../../http/field-rules.js';
import { LogQuery } from '../../http/log-query.dto.js';
import { MAX_TEMPLATE_NAME } from '../../templates/template.js';
import type { MessageFilter } from '../history/message-history.queries.js';
import { MESSAGE_STATUSES } from '../message-status.js';

/** The statuses that messages are listed by. */
export const STATUSES = [...MESSAGE_STATUSES, 'received'] as const;

/** Query of `GET /api/v1/messages/`. */
export class MessagesQuery extends LogQuery {
  @Optional()
  @PhoneDigits()
  contact_phone?: string;

  @ApiProperty({ description: 'The network’s id of the contact' })
  @Optional()
  @UserIdText()
  contact_user_id?: string;

  @Optional()
  @Id()
  campaign_id?: string;

  @Optional()
  @OneOf(['in', 'out'])
  direction?: 'in' | 'out';

  @ApiProperty({
    description:
      'A page compares 20,000 messages at most, so a page of a rare status can hold fewer than `limit`, even none, before ' +
      'the last one: follow `next_cursor`. Not so for `received`, `failed` and `clicked`',
  })
  @Optional()
  @OneOf(STATUSES)
  status?: (typeof STATUSES)[number];

  @ApiProperty({ example: 'order_update' })
  @Optional()
  @Text({ max: MAX_TEMPLATE_NAME })
  template_name?: string;

  toFilter(): MessageFilter {
    const { since = null, until = null } = this.toRange();
    return {
      contactPhone: this.contact_phone ?? null,
      contactUserId: this.contact_user_id ?? null,
      campaignId: this.campaign_id ?? null,
      direction: this.direction ?? null,
      status: this.status ?? null,
      businessPhoneId: null,
      templateName: this.template_name ?? null,
      withoutReactions: false,
      since,
      until,
    };
  }
}

/** Query of `GET /api/v1/conversations/{contact_phone}/messages`. */
export class ConversationMessagesQuery extends LogQuery {
  @ApiProperty({ description: 'Default: all business phones of the account' })
  @Optional()
  @Id()
  waba_phone_id?: string;
}
