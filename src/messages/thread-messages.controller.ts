import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BusinessPhones } from '../accounts/business-phones.service.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequiresScope } from '../auth/scopes.js';
import { PhoneNumberPipe } from '../http/record-id.pipe.js';
import { MessageListResponse } from './dto/message-record.dto.js';
import { ThreadMessagesQuery } from './dto/messages.query.js';
import { MessageHistory } from './message-history.service.js';

/** What was said in a conversation (D33); here, because messages stand above conversations. */
@ApiTags('conversations')
@Controller('api/v1/conversations')
export class ThreadMessagesController {
  constructor(
    private readonly history: MessageHistory,
    private readonly phones: BusinessPhones,
  ) {}

  @Get(':contact_phone/messages')
  @RequiresScope('conversations:read')
  @ApiOperation({ summary: 'List the messages of a conversation' })
  @ApiOkResponse({ type: MessageListResponse })
  async list(
    @CurrentCaller() { accountId }: Caller,
    @Param('contact_phone', PhoneNumberPipe) contactPhone: string,
    @Query() query: ThreadMessagesQuery,
  ): Promise<MessageListResponse> {
    const phoneId = query.waba_phone_id ?? null;
    if (phoneId !== null) await this.phones.choose(accountId, phoneId);
    const filter = { contactPhone, businessPhoneId: phoneId, campaignId: null, direction: null, status: null };
    return MessageListResponse.from(await this.history.list(accountId, filter, query), query);
  }
}
