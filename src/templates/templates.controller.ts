import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequiresScope } from '../auth/scopes.js';
import { ClientGone } from '../http/client-gone.js';
import { ApiDetailError, ApiNetworkErrors } from '../http/error-schemas.js';
import { RecordIdPipe } from '../http/record-id.pipe.js';
import { Idempotent } from '../idempotency/idempotent.decorator.js';
import type { RecordId } from '../values/record-id.js';
import { TemplateCreationService } from './authoring/template-creation.service.js';
import { CreateCarouselRequest, CreateTemplateRequest } from './dto/create-template.dto.js';
import { PreviewTemplateRequest, PreviewTemplateResponse } from './dto/preview-template.dto.js';
import {
  CreateTemplateResponse,
  DeleteTemplateResponse,
  SyncTemplatesResponse,
  TemplateListResponse,
  TemplateResponse,
} from './dto/template-responses.dto.js';
import { TemplatesQuery } from './dto/templates-query.dto.js';
import { TemplateSyncService } from './sync/template-sync.service.js';
import { TemplatesService } from './templates.service.js';

const EXAMPLES_ARE_FETCHED =
  'Example media are fetched from `media_url`, unless they were uploaded, while the request waits. All of one request may take 45 seconds together. ' +
  'Four requests of an account may fetch media at the same time; the fifth gets 503.';

/** Templates over HTTP. */
@ApiTags('templates')
@Controller('api/v1/templates')
export class TemplatesController {
  constructor(
    private readonly templates: TemplatesService,
    private readonly creation: TemplateCreationService,
    private readonly synchronisation: TemplateSyncService,
  ) {}

  @Get()
  @RequiresScope('templates:read')
  @ApiOperation({ summary: 'List templates with the latest review decisions' })
  @ApiOkResponse({ type: TemplateListResponse })
  async list(@CurrentCaller() caller: Caller, @Query() query: TemplatesQuery): Promise<TemplateListResponse> {
    return TemplateListResponse.from(await this.templates.list(caller.accountId, query.toFilter()), query);
  }

  @Post('create')
  @Idempotent({ recover: 'created' })
  @RequiresScope('templates:write')
  @ApiOperation({
    summary: 'Create a template and submit it for review',
    description: EXAMPLES_ARE_FETCHED,
  })
  @ApiCreatedResponse({ type: CreateTemplateResponse })
  @ApiNetworkErrors()
  @ApiDetailError(422, 'A rule of templates is broken: `{detail}`; or the Idempotency-Key was used with another body')
  @ApiBadRequestResponse({ description: 'A field has the wrong type, or the network refused the template' })
  @ApiNotFoundResponse({ description: 'The account has uploaded no such file, or its time is over' })
  async create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateTemplateRequest,
    @ClientGone() gone: AbortSignal,
  ): Promise<CreateTemplateResponse> {
    return CreateTemplateResponse.from(await this.creation.create(caller.accountId, body, gone));
  }

  @Post('create-carousel')
  @Idempotent({ recover: 'created' })
  @RequiresScope('templates:write')
  @ApiOperation({
    summary: 'Create a carousel template and submit it for review',
    description: EXAMPLES_ARE_FETCHED,
  })
  @ApiCreatedResponse({ type: CreateTemplateResponse })
  @ApiNetworkErrors()
  @ApiDetailError(422, 'A rule of templates is broken: `{detail}`; or the Idempotency-Key was used with another body')
  @ApiBadRequestResponse({ description: 'A field has the wrong type, or the network refused the template' })
  @ApiNotFoundResponse({ description: 'The account has uploaded no such file, or its time is over' })
  async createCarousel(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateCarouselRequest,
    @ClientGone() gone: AbortSignal,
  ): Promise<CreateTemplateResponse> {
    return CreateTemplateResponse.from(await this.creation.create(caller.accountId, body, gone));
  }

  async created(templateId: RecordId, { accountId }: Caller): Promise<CreateTemplateResponse> {
    const { metaTemplateId, networkStatus } = await this.templates.get(accountId, templateId);
    return CreateTemplateResponse.from({ templateId, metaTemplateId, metaStatus: networkStatus });
  }

  @Post('preview')
  @Idempotent({ rerunIsSafe: 'it only reads' })
  @HttpCode(200)
  @RequiresScope('templates:read')
  @ApiOperation({ summary: 'Preview a message and list the fields it still needs' })
  @ApiOkResponse({ type: PreviewTemplateResponse })
  @ApiNotFoundResponse({ description: 'The account has no such template' })
  async preview(
    @CurrentCaller() caller: Caller,
    @Body() body: PreviewTemplateRequest,
  ): Promise<PreviewTemplateResponse> {
    const preview = await this.templates.preview(caller.accountId, {
      name: body.template_name,
      language: body.template_language ?? null,
      wabaPhoneId: body.waba_phone_id ?? null,
      input: body.toSendingInput(),
    });
    return PreviewTemplateResponse.from(preview);
  }

  @Post('sync')
  @Idempotent({ rerunIsSafe: 'templates are stored once per name and language' })
  @HttpCode(200)
  @RequiresScope('templates:write')
  @ApiOperation({ summary: 'Synchronise templates with the network' })
  @ApiOkResponse({ type: SyncTemplatesResponse })
  @ApiNetworkErrors()
  async sync(@CurrentCaller() caller: Caller): Promise<SyncTemplatesResponse> {
    return SyncTemplatesResponse.from(await this.synchronisation.sync(caller.accountId));
  }

  @Get(':template_id')
  @RequiresScope('templates:read')
  @ApiOperation({ summary: 'Get a template' })
  @ApiOkResponse({ type: TemplateResponse })
  async get(
    @CurrentCaller() caller: Caller,
    @Param('template_id', RecordIdPipe) templateId: string,
  ): Promise<TemplateResponse> {
    return TemplateResponse.from(await this.templates.get(caller.accountId, templateId));
  }

  @Delete(':template_id')
  @RequiresScope('templates:write')
  @ApiOperation({ summary: 'Delete a template here and on the network' })
  @ApiOkResponse({ type: DeleteTemplateResponse })
  @ApiConflictResponse({ description: 'Scheduled or running campaigns use the template; the message names them' })
  @ApiNetworkErrors()
  async delete(
    @CurrentCaller() caller: Caller,
    @Param('template_id', RecordIdPipe) templateId: string,
  ): Promise<DeleteTemplateResponse> {
    await this.templates.delete(caller.accountId, templateId);
    return DeleteTemplateResponse.from(templateId);
  }
}
