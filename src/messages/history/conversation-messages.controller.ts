import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BusinessPhonesService } from '../../accounts/business-phones.service.js';
import { type Caller, CurrentCaller } from '../../auth/caller.js';
import { RequiresScope } from '../../auth/scopes.js';
import { type ContactRef, identityOfRef } from '../../people/contact-ref.js';
import { ContactInPath, ContactRefPipe } from '../../people/contact-ref.pipe.js';
import { MessageListResponse } from '../dto/message-responses.dto.js';
import { ConversationMessagesQuery } from '../dto/messages-query.dto.js';
import { ANY_MESSAGE } from './message-history.queries.js';
import { MessageHistoryService } from './message-history.service.js';

/** The messages of a conversation over HTTP. It lives here because messages depend on conversations, not vice versa. */
@ApiTags('conversations')
@Controller('api/v1/conversations')
export class ConversationMessagesController {
  constructor(
    private readonly history: MessageHistoryService,
    private readonly phones: BusinessPhonesService,
  ) {}

  @Get(':contact_phone/messages')
  @ContactInPath()
  @RequiresScope('conversations:read')
  @ApiOperation({
    summary: 'List the messages of a conversation',
    description: 'Reactions are no entries: they are in `reactions` of the message that they are put on.',
  })
  @ApiOkResponse({ type: MessageListResponse })
  async listMessages(
    @CurrentCaller() { accountId }: Caller,
    @Param('contact_phone', ContactRefPipe) contact: ContactRef,
    @Query() query: ConversationMessagesQuery,
  ): Promise<MessageListResponse> {
    const phoneId = query.waba_phone_id ?? null;
    if (phoneId !== null) await this.phones.choose(accountId, phoneId);
    const { phoneNumber: contactPhone, userId: contactUserId } = identityOfRef(contact);
    const { since = null, until = null } = query.toRange();
    const thread = { ...ANY_MESSAGE, contactPhone, contactUserId, businessPhoneId: phoneId, withoutReactions: true };
    const filter = { ...thread, since, until };
    return MessageListResponse.from(await this.history.list(accountId, filter, query), query);
  }
}
