import { Body, Controller, Get, Param, Patch } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import {
  type Caller,
  CurrentCaller,
  MayBeAbsent,
  type RecordId,
  RecordIdPipe,
  RequiresScope,
  SuccessResponse,
  Text,
  UnitOfWork,
} from 'parley';
import { Note } from './note.entity.js';
import { NotesSettings } from './notes.settings.js';

/** The notes of an account. */
export class NotesResponse extends SuccessResponse {
  @ApiProperty({ type: [String] })
  notes: string[];

  @ApiProperty()
  heading: string;
}

/** Request body of change note: an absent text stays, and an empty string empties it. */
export class ChangeNoteRequest {
  @MayBeAbsent()
  @Text({ blank: true })
  text?: string;
}

/** HTTP routes for notes. */
@ApiTags('notes')
@Controller('api/v1/notes')
export class NotesController {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: NotesSettings,
  ) {}

  @Get()
  @RequiresScope('notes:read')
  @ApiOperation({ summary: 'List notes' })
  @ApiOkResponse({ type: NotesResponse })
  async list(@CurrentCaller() { accountId }: Caller): Promise<NotesResponse> {
    const notes = await this.unitOfWork.reads(accountId).manager.findBy(Note, { accountId });
    return { status: 'success', notes: notes.map(({ text }) => text), heading: this.settings.heading };
  }

  @Patch(':note_id')
  @RequiresScope('notes:write')
  @ApiOperation({ summary: 'Change note' })
  @ApiOkResponse({ type: SuccessResponse })
  async change(
    @CurrentCaller() { accountId }: Caller,
    @Param('note_id', RecordIdPipe) id: RecordId,
    @Body() { text }: ChangeNoteRequest,
  ): Promise<SuccessResponse> {
    if (text !== undefined) {
      await this.unitOfWork.writes(accountId).transaction((tx) => tx.manager.update(Note, { accountId, id }, { text }));
    }
    return { status: 'success' };
  }
}
