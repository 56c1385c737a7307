import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequiresScope } from '../auth/scopes.js';
import { contactOfBody } from '../contacts/contact-ref.js';
import { ApiDetailError } from '../http/error-schemas.js';
import { RecordIdPipe } from '../http/record-id.pipe.js';
import { Idempotent } from '../idempotency/idempotent.decorator.js';
import type { RecordId } from '../values/record-id.js';
import { MessageListResponse, MessageResponse } from './dto/message-record.dto.js';
import { MessagesQuery } from './dto/messages-query.dto.js';
import { SendFreeFormRequest, SendFreeFormResponse } from './dto/send-free-form.dto.js';
import { SendTemplateRequest, SendTemplateResponse } from './dto/send-template.dto.js';
import { MessageHistoryService } from './history/message-history.service.js';
import { ApiSendErrors } from './sending/api-send-errors.js';
import { FreeFormPipe } from './sending/free-form.pipe.js';
import { type FreeFormSend, FreeFormSenderService } from './sending/free-form-sender.service.js';
import { TemplateSenderService } from './sending/template-sender.service.js';

/** Messages over HTTP. */
@ApiTags('messages')
@Controller('api/v1/messages')
export class MessagesController {
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
  @ApiNotFoundResponse({ description: 'The account has no such template' })
  async send(@CurrentCaller() caller: Caller, @Body() body: SendTemplateRequest): Promise<SendTemplateResponse> {
    const sent = await this.templates.send(caller.accountId, {
      templateName: body.template_name,
      templateLanguage: body.template_language ?? null,
      contact: contactOfBody(body),
      contactName: body.contact_name ?? null,
      wabaPhoneId: body.waba_phone_id ?? null,
      input: body.toSendingInput(),
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
  @ApiBody({ type: SendFreeFormRequest })
  @ApiOkResponse({ type: SendFreeFormResponse })
  @ApiSendErrors()
  @ApiDetailError(403, 'The service window is closed, or the business phone is not one of the account’s: `{detail}`')
  async sendMessage(
    @CurrentCaller() { accountId }: Caller,
    @Body(FreeFormPipe) order: FreeFormSend,
  ): Promise<SendFreeFormResponse> {
    return SendFreeFormResponse.from(await this.freeForm.send(accountId, order), order.content.type);
  }

  async sentFreeForm(
    messageId: RecordId,
    { accountId }: Caller,
    { content }: FreeFormSend,
  ): Promise<SendFreeFormResponse> {
    return SendFreeFormResponse.from(await this.history.sent(accountId, messageId), content.type);
  }

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
