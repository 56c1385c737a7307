import { Readable } from 'node:stream';
import { Controller, Get, Param, StreamableFile } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequiresScope } from '../auth/scopes.js';
import { RecordIdPipe } from '../http/record-id.pipe.js';
import type { Scope } from '../manifest/manifest.js';
import { ContactExportService } from './contact-export.service.js';
import { ContactExportResponse } from './dto/contact-export.response.js';

/** The scopes for everything in the response besides the contact itself. */
const ALSO_READ: readonly Scope[] = [
  'groups:read',
  'conversations:read',
  'messages:read',
  'campaigns:read',
  'webhooks:read',
];

/** HTTP route that exports everything stored about one person. */
@ApiTags('contacts')
@Controller('api/v1/contacts')
export class ContactExportController {
  constructor(private readonly exports: ContactExportService) {}

  @Get(':contact_id/export')
  @RequiresScope('contacts:read', { also: ALSO_READ })
  @ApiOperation({
    summary: 'Export everything about one contact',
    description:
      'Returns all rows about the contact as they are stored, including deleted ones and those of merged contacts. ' +
      `The key needs the scopes ${['contacts:read', ...ALSO_READ].join(', ')}.`,
  })
  @ApiOkResponse({ type: ContactExportResponse })
  @ApiNotFoundResponse()
  async exportContact(
    @CurrentCaller() { accountId }: Caller,
    @Param('contact_id', RecordIdPipe) id: string,
  ): Promise<StreamableFile> {
    const pieces = await this.exports.export(accountId, id);
    return new StreamableFile(Readable.from(pieces, { objectMode: false }), {
      type: 'application/json; charset=utf-8',
    });
  }
}
