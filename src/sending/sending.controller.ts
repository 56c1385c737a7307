import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequiresScope } from '../auth/scopes.js';
import { ApiDetailError } from '../http/error-schemas.js';
import { Idempotent } from '../idempotency/idempotent.decorator.js';
import { MessageHistoryService } from '../messages/history/message-history.service.js';
import { contactOfBody } from '../people/contact-ref.js';
import type { RecordId } from '../values/record-id.js';
import { extrasOf } from './dto/send-extras.js';
import { SendFreeFormRequest, SendFreeFormResponse } from './dto/send-free-form.dto.js';
import { SendTemplateRequest, SendTemplateResponse } from './dto/send-template.dto.js';
import { ApiSendErrors } from './single/api-send-errors.js';
import { FreeFormSenderService } from './single/free-form-sender.service.js';
import { TemplateSenderService } from './single/template-sender.service.js';

/** Sends single messages over HTTP. */
@ApiTags('messages')
@Controller('api/v1/messages')
export class SendingController {
  constructor(
    private readonly templates: TemplateSenderService,
    private readonly freeForm: FreeFormSenderService,
    private readonly history: MessageHistoryService,
  ) {}

  @Post('send')
  @Idempotent({ recover: 'sentTemplate' })
  @HttpCode(200)
  @RequiresScope('messages:write')
  @ApiOperation({ summary: 'Send a template message' })
  @ApiOkResponse({ type: SendTemplateResponse })
  @ApiSendErrors()
  @ApiNotFoundResponse({
    description: 'The account has no such template, or `reply_to` or `agent_user_id` names nothing',
  })
  async send(@CurrentCaller() caller: Caller, @Body() body: SendTemplateRequest): Promise<SendTemplateResponse> {
    const sent = await this.templates.send(caller.accountId, {
      templateName: body.template_name,
      templateLanguage: body.template_language ?? null,
      contact: contactOfBody(body),
      contactName: body.contact_name ?? null,
      wabaPhoneId: body.waba_phone_id ?? null,
      input: body.toSendingInput(),
      extras: extrasOf(body, caller),
    });
    return SendTemplateResponse.from(sent, body.template_name);
  }

  async sentTemplate(
    messageId: RecordId,
    { accountId }: Caller,
    { template_name }: SendTemplateRequest,
  ): Promise<SendTemplateResponse> {
    return SendTemplateResponse.from(await this.history.sent(accountId, messageId), template_name);
  }

  @Post('send-message')
  @Idempotent({ recover: 'sentFreeForm' })
  @HttpCode(200)
  @RequiresScope('messages:write')
  @ApiOperation({ summary: 'Send a free-form message inside the 24-hour service window' })
  @ApiOkResponse({ type: SendFreeFormResponse })
  @ApiSendErrors()
  @ApiNotFoundResponse({ description: 'A message or agent that the request names does not exist' })
  @ApiDetailError(403, 'The service window is closed, or the business phone is not one of the account’s: `{detail}`')
  async sendMessage(@CurrentCaller() caller: Caller, @Body() body: SendFreeFormRequest): Promise<SendFreeFormResponse> {
    return SendFreeFormResponse.from(
      await this.freeForm.send(caller.accountId, body.toSend(caller)),
      body.message_type,
    );
  }

  async sentFreeForm(
    messageId: RecordId,
    { accountId }: Caller,
    { message_type }: SendFreeFormRequest,
  ): Promise<SendFreeFormResponse> {
    return SendFreeFormResponse.from(await this.history.sent(accountId, messageId), message_type);
  }
}
