import { Controller, Post, UseInterceptors } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConsumes,
  ApiCreatedResponse,
  ApiOperation,
  ApiPayloadTooLargeResponse,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequiresScope } from '../auth/scopes.js';
import { AcceptsBody } from '../http/accepted-body.js';
import { Idempotent } from '../idempotency/idempotent.decorator.js';
import type { RecordId } from '../values/record-id.js';
import { UploadResponse } from './dto/upload-response.dto.js';
import type { IncomingUpload } from './incoming-upload.js';
import { MAX_UPLOAD_BYTES, MediaUploadInterceptor, Upload, uploadOf } from './media-upload.interceptor.js';
import { UPLOADS_KEPT_DAYS } from './uploaded-file.queries.js';
import { UploadedFilesService } from './uploaded-files.service.js';

/** What an Idempotency-Key of an upload identifies: the file rather than the form, whose boundary clients draw anew. */
function uploadPayload(request: FastifyRequest): unknown {
  const { sha256, mimeType, filename } = uploadOf(request).facts;
  return [sha256, mimeType, filename];
}

/** Uploads files that are sent by id. */
@ApiTags('media')
@Controller('api/v1/media')
export class MediaController {
  constructor(private readonly files: UploadedFilesService) {}

  @Post()
  @Idempotent({ recover: 'uploaded', payload: uploadPayload })
  @AcceptsBody({ as: 'stream', limit: MAX_UPLOAD_BYTES })
  @UseInterceptors(MediaUploadInterceptor)
  @RequiresScope('messages:write')
  @ApiOperation({
    summary: 'Upload a file',
    description:
      'Sends, campaigns and templates take the `id` of the answer as `media_id`, instead of a `media_url`. The file must ' +
      'be of the type that its part of the form declares. An image (JPEG, PNG) may have 5 MB, a video (MP4) and audio ' +
      '(AAC, MP3, M4A, AMR, OGG with Opus) 16 MB, a document (PDF, DOC, DOCX, PPT, PPTX, TXT) 100 MB, a sticker (WEBP) ' +
      `100 KB, or 500 KB if it is animated. It is kept for ${UPLOADS_KEPT_DAYS} days, or until the last campaign that ` +
      'uses it has ended. An upload may take 15 minutes; the fifth of an account at once gets 503.',
  })
  @ApiConsumes('multipart/form-data')
  @ApiCreatedResponse({ type: UploadResponse })
  @ApiBadRequestResponse({
    description:
      'There is no file or more than one, it is empty, of a type that is not accepted or not the declared one',
  })
  @ApiPayloadTooLargeResponse({ description: 'The file is larger than its type may be' })
  @ApiServiceUnavailableResponse({ description: 'Other files are being received, or the media store is full' })
  async upload(@CurrentCaller() { accountId }: Caller, @Upload() upload: IncomingUpload): Promise<UploadResponse> {
    return UploadResponse.from(await this.files.add(accountId, upload));
  }

  async uploaded(fileId: RecordId, { accountId }: Caller): Promise<UploadResponse> {
    return UploadResponse.from(await this.files.get(accountId, fileId));
  }
}
