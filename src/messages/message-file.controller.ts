import { Controller, Get, Param, Req, Res, type StreamableFile } from '@nestjs/common';
import {
  ApiHeader,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiResponse,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequiresScope } from '../auth/scopes.js';
import { ClientGone } from '../http/client-gone.js';
import { fileDownload } from '../http/file-download.js';
import { RecordIdPipe } from '../http/record-id.pipe.js';
import { fileNameFor } from '../media/file-name-for.js';
import { MessageFileService } from './history/message-file.service.js';

const BYTES = { type: 'string', contentMediaType: 'application/octet-stream' } as const;

/** The files of messages over HTTP. */
@ApiTags('messages')
@Controller('api/v1/messages')
export class MessageFileController {
  constructor(private readonly files: MessageFileService) {}

  @Get(':message_id/media')
  @RequiresScope('messages:read')
  @ApiOperation({
    summary: 'Get the file of a message',
    description:
      'What a contact sent. One that was not fetched from the network yet is fetched first, for up to ten seconds; 503 ' +
      'means that it may still come. The type is that of its content. Images, audio and video may be shown; everything ' +
      'else is an attachment. `ETag` with `If-None-Match`, and single ranges of bytes, are supported.',
  })
  @ApiHeader({ name: 'Range', required: false, description: 'Part of the file', example: 'bytes=0-1023' })
  @ApiProduces('*/*')
  @ApiOkResponse({ description: 'The file', content: { '*/*': { schema: BYTES } } })
  @ApiResponse({ status: 206, description: 'The part that `Range` asks for', content: { '*/*': { schema: BYTES } } })
  @ApiResponse({ status: 304, description: 'The file is the one that `If-None-Match` names' })
  @ApiResponse({ status: 416, description: 'The file ends before the part that `Range` asks for' })
  @ApiNotFoundResponse()
  @ApiServiceUnavailableResponse()
  async getMedia(
    @CurrentCaller() { accountId }: Caller,
    @Param('message_id', RecordIdPipe) messageId: string,
    @ClientGone() clientGone: AbortSignal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    const file = await this.files.open(accountId, messageId, clientGone);
    return fileDownload({ ...file, filename: fileNameFor(messageId, file) }, request, reply);
  }
}
