import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequiresRole, RequiresScope } from '../auth/scopes.js';
import { SearchQuery } from '../http/page.dto.js';
import { RecordIdPipe } from '../http/record-id.pipe.js';
import { Idempotent } from '../idempotency/idempotent.decorator.js';
import type { RecordId } from '../values/record-id.js';
import { CreateSavedReplyRequest, UpdateSavedReplyRequest } from './dto/saved-reply-requests.dto.js';
import {
  SavedRepliesResponse,
  SavedReplyDeletedResponse,
  SavedReplyFoundResponse,
  SavedReplyResponse,
} from './dto/saved-reply-responses.dto.js';
import { SavedRepliesService } from './saved-replies.service.js';

/** HTTP routes for saved replies. */
@ApiTags('saved-replies')
@Controller('api/v1/saved-replies')
export class SavedRepliesController {
  constructor(private readonly replies: SavedRepliesService) {}

  @Get()
  @RequiresScope('conversations:read')
  @ApiOperation({ summary: 'List saved replies', description: '`search` matches any part of name and text.' })
  @ApiOkResponse({ type: SavedRepliesResponse })
  async list(@CurrentCaller() { accountId }: Caller, @Query() query: SearchQuery): Promise<SavedRepliesResponse> {
    return SavedRepliesResponse.from(await this.replies.list(accountId, query, query.search), query);
  }

  @Post()
  @Idempotent({ recover: 'created' })
  @RequiresScope('conversations:write')
  @RequiresRole('manager')
  @ApiOperation({
    summary: 'Create saved reply',
    description: 'A text to insert while answering. Whoever inserts it replaces `{{first_name}}` and the like.',
  })
  @ApiCreatedResponse({ type: SavedReplyResponse })
  @ApiConflictResponse({ description: 'A saved reply with this name exists, or the account has 1,000' })
  async create(
    @CurrentCaller() { accountId }: Caller,
    @Body() body: CreateSavedReplyRequest,
  ): Promise<SavedReplyResponse> {
    return SavedReplyResponse.from(await this.replies.create(accountId, body.toReply()), 'Saved reply created');
  }

  async created(id: RecordId, { accountId }: Caller): Promise<SavedReplyResponse> {
    return SavedReplyResponse.from(await this.replies.get(accountId, id), 'Saved reply created');
  }

  @Get(':saved_reply_id')
  @RequiresScope('conversations:read')
  @ApiOperation({ summary: 'Get saved reply' })
  @ApiOkResponse({ type: SavedReplyFoundResponse })
  @ApiNotFoundResponse()
  async get(
    @CurrentCaller() { accountId }: Caller,
    @Param('saved_reply_id', RecordIdPipe) id: string,
  ): Promise<SavedReplyFoundResponse> {
    return SavedReplyFoundResponse.from(await this.replies.get(accountId, id));
  }

  @Patch(':saved_reply_id')
  @RequiresScope('conversations:write')
  @RequiresRole('manager')
  @ApiOperation({ summary: 'Change saved reply', description: 'Absent fields stay unchanged.' })
  @ApiOkResponse({ type: SavedReplyResponse })
  @ApiNotFoundResponse()
  @ApiConflictResponse({ description: 'Another saved reply has this name' })
  async change(
    @CurrentCaller() { accountId }: Caller,
    @Param('saved_reply_id', RecordIdPipe) id: string,
    @Body() body: UpdateSavedReplyRequest,
  ): Promise<SavedReplyResponse> {
    const reply = await this.replies.change(accountId, id, body.toChanges());
    return SavedReplyResponse.from(reply, 'Saved reply changed');
  }

  @Delete(':saved_reply_id')
  @RequiresScope('conversations:write')
  @RequiresRole('manager')
  @ApiOperation({ summary: 'Delete saved reply' })
  @ApiOkResponse({ type: SavedReplyDeletedResponse })
  @ApiNotFoundResponse()
  async delete(
    @CurrentCaller() { accountId }: Caller,
    @Param('saved_reply_id', RecordIdPipe) id: string,
  ): Promise<SavedReplyDeletedResponse> {
    await this.replies.delete(accountId, id);
    return SavedReplyDeletedResponse.from(id);
  }
}
