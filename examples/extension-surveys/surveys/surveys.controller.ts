import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import {
  ApiDetailError,
  ApiSendErrors,
  type Caller,
  CurrentCaller,
  Idempotent,
  MessageHistoryService,
  PageQuery,
  type RecordId,
  RecordIdPipe,
  RequiresScope,
} from 'parley';
import { CreateSurveyRequest, SendSurveyRequest } from './dto/survey-requests.dto.js';
import {
  SurveyAnswersResponse,
  SurveyCreatedResponse,
  SurveyResponse,
  SurveySentResponse,
  SurveysResponse,
} from './dto/survey-responses.dto.js';
import { SurveysService } from './surveys.service.js';

/** HTTP routes for surveys. */
@ApiTags('surveys')
@Controller('api/v1/surveys')
export class SurveysController {
  constructor(
    private readonly surveys: SurveysService,
    private readonly history: MessageHistoryService,
  ) {}

  @Get()
  @RequiresScope('surveys:read')
  @ApiOperation({ summary: 'List surveys, newest first' })
  @ApiOkResponse({ type: SurveysResponse })
  async list(@CurrentCaller() { accountId }: Caller, @Query() query: PageQuery): Promise<SurveysResponse> {
    return SurveysResponse.from(await this.surveys.list(accountId, query), query);
  }

  @Post()
  @Idempotent({ recover: 'created' })
  @RequiresScope('surveys:write')
  @ApiOperation({ summary: 'Create survey' })
  @ApiCreatedResponse({ type: SurveyCreatedResponse })
  async create(
    @CurrentCaller() { accountId }: Caller,
    @Body() body: CreateSurveyRequest,
  ): Promise<SurveyCreatedResponse> {
    return SurveyCreatedResponse.from(await this.surveys.create(accountId, body.toDraft()));
  }

  async created(id: RecordId, { accountId }: Caller): Promise<SurveyCreatedResponse> {
    return SurveyCreatedResponse.from(await this.surveys.get(accountId, id));
  }

  @Get(':survey_id')
  @RequiresScope('surveys:read')
  @ApiOperation({ summary: 'Get a survey with its results' })
  @ApiOkResponse({ type: SurveyResponse })
  @ApiNotFoundResponse()
  async get(
    @CurrentCaller() { accountId }: Caller,
    @Param('survey_id', RecordIdPipe) id: string,
  ): Promise<SurveyResponse> {
    return SurveyResponse.from(await this.surveys.get(accountId, id));
  }

  @Get(':survey_id/answers')
  @RequiresScope('surveys:read')
  @ApiOperation({ summary: 'List the answers to a survey, the latest first' })
  @ApiOkResponse({ type: SurveyAnswersResponse })
  @ApiNotFoundResponse()
  async answers(
    @CurrentCaller() { accountId }: Caller,
    @Param('survey_id', RecordIdPipe) id: string,
    @Query() query: PageQuery,
  ): Promise<SurveyAnswersResponse> {
    const [survey, answers] = await this.surveys.answers(accountId, id, query);
    return SurveyAnswersResponse.from(survey, answers, query);
  }

  @Post(':survey_id/send')
  @Idempotent({ recover: 'sent' })
  @HttpCode(200)
  @RequiresScope('surveys:write')
  @ApiOperation({ summary: 'Send a survey to a contact', description: 'Inside the 24-hour service window only.' })
  @ApiOkResponse({ type: SurveySentResponse })
  @ApiSendErrors()
  @ApiDetailError(403, 'The service window is closed, or the business phone is not one of the account’s: `{detail}`')
  @ApiNotFoundResponse()
  @ApiConflictResponse({ description: 'The survey is closed' })
  async send(
    @CurrentCaller() { accountId }: Caller,
    @Param('survey_id', RecordIdPipe) id: string,
    @Body() { contact_phone, waba_phone_id }: SendSurveyRequest,
  ): Promise<SurveySentResponse> {
    return SurveySentResponse.from(id, await this.surveys.send(accountId, id, contact_phone, waba_phone_id ?? null));
  }

  async sent(messageId: RecordId, { accountId }: Caller, id: string): Promise<SurveySentResponse> {
    return SurveySentResponse.from(id, await this.history.sent(accountId, messageId));
  }
}
