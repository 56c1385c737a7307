import { ApiProperty } from '@nestjs/swagger';
import type { PageQuery } from '../../http/page.dto.js';
import { LogPageResponse, SuccessResponse } from '../../http/responses.dto.js';
import type { Paged } from '../../values/page.js';
import { MessageRecord } from '../history/message-record.js';
import type { ShownMessage } from '../history/shown-message.js';

/** Response of `GET /api/v1/messages/{message_id}`. */
export class MessageResponse extends SuccessResponse {
  @ApiProperty({ type: MessageRecord })
  message_record: MessageRecord;

  static from(row: ShownMessage): MessageResponse {
    return { status: 'success', message_record: MessageRecord.from(row) };
  }
}

/** Response of `GET /api/v1/messages/` and of a conversation's messages. */
export class MessageListResponse extends LogPageResponse {
  @ApiProperty({ type: [MessageRecord] })
  messages: MessageRecord[];

  static from(paged: Paged<ShownMessage>, query: PageQuery): MessageListResponse {
    return {
      status: 'success',
      messages: paged.rows.map((row) => MessageRecord.from(row)),
      ...LogPageResponse.paging(paged, query),
    };
  }
}
