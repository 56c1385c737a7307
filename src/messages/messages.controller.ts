import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequiresScope } from '../auth/scopes.js';
import { RecordIdPipe } from '../http/record-id.pipe.js';
import { MessageListResponse, MessageResponse } from './dto/message-responses.dto.js';
import { MessagesQuery } from './dto/messages-query.dto.js';
import { MessageHistoryService } from './history/message-history.service.js';

/** The records of messages over HTTP. */
@ApiTags('messages')
@Controller('api/v1/messages')
export class MessagesController {
  constructor(private readonly history: MessageHistoryService) {}

  @Get()
  @RequiresScope('messages:read')
  @ApiOperation({ summary: 'List messages, newest first' })
  @ApiOkResponse({ type: MessageListResponse })
  async list(@CurrentCaller() caller: Caller, @Query() query: MessagesQuery): Promise<MessageListResponse> {
    return MessageListResponse.from(await this.history.list(caller.accountId, query.toFilter(), query), query);
  }

  @Get(':message_id')
  @RequiresScope('messages:read')
  @ApiOperation({ summary: 'Get a message with its timeline' })
  @ApiOkResponse({ type: MessageResponse })
  async get(
    @CurrentCaller() caller: Caller,
    @Param('message_id', RecordIdPipe) messageId: string,
  ): Promise<MessageResponse> {
    return MessageResponse.from(await this.history.get(caller.accountId, messageId));
  }
}
