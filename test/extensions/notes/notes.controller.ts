import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, RequiresScope, SuccessResponse, UnitOfWork } from 'parley';
import { Note } from './note.entity.js';
import { NotesSettings } from './notes.settings.js';

/** The notes of an account. */
export class NotesResponse extends SuccessResponse {
  @ApiProperty({ type: [String] })
  notes: string[];

  @ApiProperty()
  heading: string;
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
}
