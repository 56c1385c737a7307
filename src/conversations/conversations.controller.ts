import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiForbiddenResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequiresScope } from '../auth/scopes.js';
import { blankToNull } from '../contacts/dto/contact-fields.js';
import { Idempotent } from '../idempotency/idempotent.decorator.js';
import type { ContactRef } from '../people/contact-ref.js';
import { ContactInPath, ContactRefPipe } from '../people/contact-ref.pipe.js';
import { assignData, reopenData, resolveData, unassignData } from './assignment-data.js';
import { ConversationReaderService } from './conversation-reader.service.js';
import { type ConversationChoice, ConversationsService } from './conversations.service.js';
import {
  AssignConversationRequest,
  ConversationChoiceRequest,
  ConversationsQuery,
  ResolveConversationRequest,
} from './dto/conversation-requests.dto.js';
import {
  AssignmentStateResponse,
  ConversationActionResponse,
  ConversationResponse,
  ConversationsResponse,
} from './dto/conversation-responses.dto.js';

/** The conversation that a request names. */
export const choiceOf = (contact: ContactRef, { waba_phone_id }: ConversationChoiceRequest): ConversationChoice => ({
  contact,
  wabaPhoneId: waba_phone_id ?? null,
});

/** HTTP routes for conversations. */
@ApiTags('conversations')
@Controller('api/v1/conversations')
export class ConversationsController {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly reader: ConversationReaderService,
  ) {}

  @Get()
  @RequiresScope('conversations:read')
  @ApiOperation({
    summary: 'List conversations',
    description: 'The most recently active come first, unless `order` says otherwise.',
  })
  @ApiOkResponse({ type: ConversationsResponse })
  @ApiForbiddenResponse({ description: 'The business phone is not one of the account’s' })
  async list(
    @CurrentCaller() { accountId }: Caller,
    @Query() query: ConversationsQuery,
  ): Promise<ConversationsResponse> {
    return ConversationsResponse.from(await this.reader.list(accountId, query.toFilter(), query), query);
  }

  @Get(':contact_phone')
  @ContactInPath()
  @RequiresScope('conversations:read')
  @ApiOperation({ summary: 'Get conversation' })
  @ApiOkResponse({ type: ConversationResponse })
  @ApiForbiddenResponse({ description: 'The business phone is not one of the account’s' })
  @ApiNotFoundResponse({ description: 'There is no such conversation' })
  async get(
    @CurrentCaller() { accountId }: Caller,
    @Param('contact_phone', ContactRefPipe) contact: ContactRef,
    @Query() query: ConversationChoiceRequest,
  ): Promise<ConversationResponse> {
    return ConversationResponse.from(await this.reader.get(accountId, choiceOf(contact, query)));
  }

  @Get(':contact_phone/assignment')
  @ContactInPath()
  @RequiresScope('conversations:read')
  @ApiOperation({
    summary: 'Get assignment state',
    description: 'Never returns 404: `has_conversation` says whether the conversation exists.',
  })
  @ApiOkResponse({ type: AssignmentStateResponse })
  @ApiForbiddenResponse({ description: 'The business phone is not one of the account’s' })
  async assignment(
    @CurrentCaller() { accountId }: Caller,
    @Param('contact_phone', ContactRefPipe) contact: ContactRef,
    @Query() query: ConversationChoiceRequest,
  ): Promise<AssignmentStateResponse> {
    return AssignmentStateResponse.from(await this.reader.assignment(accountId, choiceOf(contact, query)));
  }

  @Post(':contact_phone/assign')
  @ContactInPath()
  @Idempotent({ rerunIsSafe: 'assigning the same agent again changes nothing' })
  @HttpCode(200)
  @RequiresScope('conversations:write')
  @ApiOperation({ summary: 'Assign conversation', description: 'Emits `conversation.assigned`.' })
  @ApiOkResponse({ type: ConversationActionResponse })
  @ApiBadRequestResponse({ description: 'Resolved conversation, invalid field, no business number, no organisation' })
  @ApiForbiddenResponse({ description: 'The business phone is not one of the account’s' })
  @ApiNotFoundResponse({ description: '`user_id` is not an active member of the organisation' })
  @ApiConflictResponse({
    description: 'With `only_if_unassigned`: another agent has the conversation; the message names them',
  })
  @ApiUnprocessableEntityResponse({ description: '`user_id` is missing' })
  async assign(
    @CurrentCaller() caller: Caller,
    @Param('contact_phone', ContactRefPipe) contact: ContactRef,
    @Body() body: AssignConversationRequest,
  ): Promise<ConversationActionResponse> {
    const assignment = {
      userId: body.user_id,
      note: blankToNull(body.note),
      onlyIfUnassigned: body.only_if_unassigned === true,
    };
    const outcome = await this.conversations.assign(caller, choiceOf(contact, body), assignment);
    const message = outcome.isReassignment ? 'Conversation reassigned' : 'Conversation assigned';
    return ConversationActionResponse.from(
      assignData(outcome),
      outcome.changed ? message : 'The conversation is already assigned to this agent',
    );
  }

  @Post(':contact_phone/unassign')
  @ContactInPath()
  @Idempotent({ rerunIsSafe: 'an unassigned conversation stays as it is' })
  @HttpCode(200)
  @RequiresScope('conversations:write')
  @ApiOperation({ summary: 'Unassign conversation', description: 'Idempotent. Emits `conversation.unassigned`.' })
  @ApiOkResponse({ type: ConversationActionResponse })
  @ApiForbiddenResponse({ description: 'The business phone is not one of the account’s' })
  async unassign(
    @CurrentCaller() caller: Caller,
    @Param('contact_phone', ContactRefPipe) contact: ContactRef,
    @Body() body: ConversationChoiceRequest,
  ): Promise<ConversationActionResponse> {
    const outcome = await this.conversations.unassign(caller, choiceOf(contact, body));
    return ConversationActionResponse.from(
      unassignData(outcome),
      outcome.changed ? 'Conversation unassigned' : 'The conversation is already unassigned',
    );
  }

  @Post(':contact_phone/reopen')
  @ContactInPath()
  @Idempotent({ rerunIsSafe: 'an open conversation stays as it is' })
  @HttpCode(200)
  @RequiresScope('conversations:write')
  @ApiOperation({ summary: 'Reopen conversation', description: 'Idempotent. Emits `conversation.reopened`.' })
  @ApiOkResponse({ type: ConversationActionResponse })
  @ApiForbiddenResponse({ description: 'The business phone is not one of the account’s' })
  async reopen(
    @CurrentCaller() caller: Caller,
    @Param('contact_phone', ContactRefPipe) contact: ContactRef,
    @Body() body: ConversationChoiceRequest,
  ): Promise<ConversationActionResponse> {
    const outcome = await this.conversations.reopen(caller, choiceOf(contact, body));
    return ConversationActionResponse.from(
      reopenData(outcome),
      outcome.changed ? 'Conversation reopened' : 'The conversation is already open',
    );
  }

  @Post(':contact_phone/resolve')
  @ContactInPath()
  @Idempotent({ rerunIsSafe: 'a resolved conversation stays as it is' })
  @HttpCode(200)
  @RequiresScope('conversations:write')
  @ApiOperation({ summary: 'Resolve conversation', description: 'Idempotent. Emits `conversation.resolved`.' })
  @ApiOkResponse({ type: ConversationActionResponse })
  @ApiForbiddenResponse({ description: 'The business phone is not one of the account’s' })
  async resolve(
    @CurrentCaller() caller: Caller,
    @Param('contact_phone', ContactRefPipe) contact: ContactRef,
    @Body() body: ResolveConversationRequest,
  ): Promise<ConversationActionResponse> {
    const reason = blankToNull(body.reason);
    const outcome = await this.conversations.resolve(caller, choiceOf(contact, body), { reason });
    return ConversationActionResponse.from(
      resolveData(outcome),
      outcome.changed ? 'Conversation resolved' : 'The conversation is already resolved',
    );
  }
}
