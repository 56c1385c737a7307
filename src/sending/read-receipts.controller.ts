import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiForbiddenResponse,
  ApiGatewayTimeoutResponse,
  ApiOkResponse,
  ApiOperation,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequiresScope } from '../auth/scopes.js';
import { Idempotent } from '../idempotency/idempotent.decorator.js';
import type { ContactRef } from '../people/contact-ref.js';
import { ContactInPath, ContactRefPipe } from '../people/contact-ref.pipe.js';
import { MarkReadRequest, MarkReadResponse } from './dto/mark-read.dto.js';
import { ReadReceiptsService } from './single/read-receipts.service.js';

/** Marks conversations as read over HTTP. It lives here because conversations know nothing of the network. */
@ApiTags('conversations')
@Controller('api/v1/conversations')
export class ReadReceiptsController {
  constructor(private readonly receipts: ReadReceiptsService) {}

  @Post(':contact_phone/read')
  @ContactInPath()
  @Idempotent({ rerunIsSafe: 'a message that is read stays read' })
  @HttpCode(200)
  @RequiresScope('conversations:write')
  @ApiOperation({
    summary: 'Mark conversation as read',
    description:
      'Tells the network that the contact’s newest message was read, and so all before it: the contact sees blue ticks. ' +
      'With `typing`, the contact also sees that you are typing.',
  })
  @ApiOkResponse({ type: MarkReadResponse })
  @ApiBadRequestResponse({
    description: 'The contact has sent no message in the last 30 days, or the network refused',
  })
  @ApiForbiddenResponse({ description: 'The business phone is not one of the account’s' })
  @ApiServiceUnavailableResponse({ description: 'The network cannot do it now: try again after `Retry-After`' })
  @ApiGatewayTimeoutResponse({ description: 'The network’s answer was lost. Trying again does no harm' })
  async markRead(
    @CurrentCaller() { accountId }: Caller,
    @Param('contact_phone', ContactRefPipe) contact: ContactRef,
    @Body() body: MarkReadRequest,
  ): Promise<MarkReadResponse> {
    return MarkReadResponse.from(await this.receipts.markRead(accountId, body.toOrder(contact)));
  }
}
