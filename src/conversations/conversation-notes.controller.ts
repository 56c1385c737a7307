import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiForbiddenResponse, ApiNotFoundResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequiresScope } from '../auth/scopes.js';
import { Idempotent } from '../idempotency/idempotent.decorator.js';
import type { ContactRef } from '../people/contact-ref.js';
import { ContactInPath, ContactRefPipe } from '../people/contact-ref.pipe.js';
import type { RecordId } from '../values/record-id.js';
import { ConversationNotesService } from './conversation-notes.service.js';
import { choiceOf } from './conversations.controller.js';
import { NoteResponse } from './dto/conversation-entry.dto.js';
import { CreateNoteRequest } from './dto/conversation-requests.dto.js';

/** Notes in conversations over HTTP. */
@ApiTags('conversations')
@Controller('api/v1/conversations')
export class ConversationNotesController {
  constructor(private readonly notes: ConversationNotesService) {}

  @Post(':contact_phone/notes')
  @ContactInPath()
  @Idempotent({ recover: 'addedNote' })
  @RequiresScope('conversations:write')
  @ApiOperation({
    summary: 'Add note to conversation',
    description: 'For the people who answer: it stands in the timeline and is never sent. Emits nothing.',
  })
  @ApiCreatedResponse({ type: NoteResponse })
  @ApiForbiddenResponse({ description: 'The business phone is not one of the account’s' })
  @ApiNotFoundResponse({ description: 'There is no such conversation' })
  async addNote(
    @CurrentCaller() caller: Caller,
    @Param('contact_phone', ContactRefPipe) contact: ContactRef,
    @Body() body: CreateNoteRequest,
  ): Promise<NoteResponse> {
    return NoteResponse.from(await this.notes.write(caller, choiceOf(contact, body), body.text), contact);
  }

  async addedNote(id: RecordId, { accountId }: Caller, contact: ContactRef): Promise<NoteResponse> {
    return NoteResponse.from(await this.notes.get(accountId, contact, id), contact);
  }
}
