import { ApiProperty } from '@nestjs/swagger';
import { Id, OneOf, Optional, PhoneDigits, UserIdText } from '../../http/field-rules.js';
import { PageQuery } from '../../http/page.dto.js';
import type { MessageFilter } from '../history/message-history.queries.js';
import { MESSAGE_STATUSES } from '../reports/message-status.js';

const STATUSES = [...MESSAGE_STATUSES, 'received'] as const;

/** Query of `GET /api/v1/messages/`. */
export class MessagesQuery extends PageQuery {
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

  @Optional()
  @OneOf(STATUSES)
  status?: (typeof STATUSES)[number];

  toFilter(): MessageFilter {
    return {
      contactPhone: this.contact_phone ?? null,
      contactUserId: this.contact_user_id ?? null,
      campaignId: this.campaign_id ?? null,
      direction: this.direction ?? null,
      status: this.status ?? null,
      businessPhoneId: null,
    };
  }
}

/** Query of `GET /api/v1/conversations/{contact_phone}/messages`. */
export class ConversationMessagesQuery extends PageQuery {
  @ApiProperty({ description: 'Default: all business phones of the account' })
  @Optional()
  @Id()
  waba_phone_id?: string;
}
