import { Controller, Get, HttpCode, Post, Query, type StreamableFile, UseInterceptors } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConsumes,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { type Caller, CurrentCaller } from '../../auth/caller.js';
import { RequiresRole, RequiresScope } from '../../auth/scopes.js';
import { AcceptsBody } from '../../http/accepted-body.js';
import { ClientGone } from '../../http/client-gone.js';
import { CsvFileQuery, csvDownload } from '../../http/csv-download.js';
import { isAbsent } from '../../http/field-rules.js';
import { Idempotent } from '../../idempotency/idempotent.decorator.js';
import { readCountry } from '../../values/numbering-plans.js';
import { ImportContactsQuery } from '../dto/contact-queries.dto.js';
import { ImportResponse } from '../dto/import-response.dto.js';
import { ContactFilesService } from './contact-files.service.js';
import { CsvUploadInterceptor, MAX_IMPORT_BYTES, Upload, uploadOf } from './csv-upload.interceptor.js';
import type { UploadFile } from './upload-file.js';

/** What an Idempotency-Key of an import identifies: the file, and how its numbers are read. */
async function importPayload(request: FastifyRequest): Promise<unknown> {
  const digest = await uploadOf(request).digest();
  const { default_country: country } = request.query as ImportContactsQuery;
  return isAbsent(country) ? digest : [digest, country];
}

/** HTTP routes for contact imports and exports as CSV. */
@ApiTags('contacts')
@Controller('api/v1/contacts')
export class ContactFilesController {
  constructor(private readonly files: ContactFilesService) {}

  @Post('import')
  // Hashes the file rather than the body: clients build a new multipart form for each attempt.
  @Idempotent({
    rerunIsSafe: 'contacts are stored once per number; the answer then counts them as updated',
    payload: importPayload,
  })
  @HttpCode(200)
  @AcceptsBody({ as: 'stream', limit: MAX_IMPORT_BYTES })
  @UseInterceptors(CsvUploadInterceptor)
  @RequiresScope('contacts:write')
  @RequiresRole('manager')
  @ApiOperation({
    summary: 'Import contacts from CSV',
    description:
      'Columns are the contact’s field names, in a header; its line is 1. An empty cell leaves the value unchanged, ' +
      'and so do cells missing at the end of a row. Numbers may be written in any common way. The file may be in UTF-8, ' +
      'UTF-16 or Windows-1252, with commas, semicolons, tabs or `|` between cells, or what a first line `sep=` says. ' +
      'Rows that are invalid, or no CSV, are reported by line; a file without a header that can be read changes ' +
      'nothing. At most 100,000 rows and 64 MiB. Files of one account are imported one at a time; a file that has ' +
      'waited 30 seconds gets 503, and so does the fifth of an account at once. An upload may take ten minutes.',
  })
  @ApiConsumes('multipart/form-data', 'text/csv')
  @ApiOkResponse({ type: ImportResponse })
  @ApiBadRequestResponse({ description: 'The file is no CSV, or its header cannot be read; nothing was changed' })
  @ApiServiceUnavailableResponse({ description: 'Other files are being received or imported; nothing was changed' })
  async import(
    @CurrentCaller() { accountId }: Caller,
    @Upload() file: UploadFile,
    @Query() query: ImportContactsQuery,
    @ClientGone() gone: AbortSignal,
  ): Promise<ImportResponse> {
    return ImportResponse.from(await this.files.import(accountId, file, readCountry(query.default_country), gone));
  }

  @Get('export')
  @RequiresScope('contacts:read')
  @RequiresRole('manager')
  @ApiOperation({
    summary: 'Export contacts as CSV',
    description:
      'The file begins with a byte order mark, and can be imported again. Text that a spreadsheet would run as a formula gets a leading apostrophe; an ' +
      'import removes it.',
  })
  @ApiProduces('text/csv')
  @ApiOkResponse({ description: 'The file, with a header line', schema: { type: 'string' } })
  async export(@CurrentCaller() { accountId }: Caller, @Query() query: CsvFileQuery): Promise<StreamableFile> {
    return csvDownload(await this.files.export(accountId), 'contacts.csv', query);
  }
}
