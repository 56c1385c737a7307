import { Controller, Get, Param, Query, type StreamableFile } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../../auth/caller.js';
import { RequiresRole, RequiresScope } from '../../auth/scopes.js';
import { CsvFileQuery, csvDownload } from '../../http/csv-download.js';
import { RecordIdPipe } from '../../http/record-id.pipe.js';
import { CampaignProgressResponse } from '../dto/campaign-progress.dto.js';
import { FailureListResponse } from '../dto/failure-record.dto.js';
import { RecipientListResponse, RecipientsQuery } from '../dto/recipient-record.dto.js';
import { RecipientsService } from './recipients.service.js';

/** Routes that list and export a campaign's recipients, the reasons of those that failed, and how fast it was sent. */
@ApiTags('campaigns')
@Controller('api/v1/campaigns/:campaign_id')
export class RecipientsController {
  constructor(private readonly recipients: RecipientsService) {}

  @Get('recipients')
  @RequiresScope('campaigns:read')
  @ApiOperation({
    summary: 'List a campaign’s recipients',
    description:
      'In sending order, unless `order` says otherwise. Filters can be combined. Each counter of the campaign equals the ' +
      '`total` of a list: `sent_count` that of `reached=sent`, `failed_count` that of `status=failed`.',
  })
  @ApiOkResponse({ type: RecipientListResponse })
  @ApiNotFoundResponse()
  async listRecipients(
    @CurrentCaller() { accountId }: Caller,
    @Param('campaign_id', RecordIdPipe) campaignId: string,
    @Query() query: RecipientsQuery,
  ): Promise<RecipientListResponse> {
    const recipients = await this.recipients.list(accountId, campaignId, query.toFilter(), query);
    return RecipientListResponse.from(recipients, query);
  }

  @Get('failures')
  @RequiresScope('campaigns:read')
  @ApiOperation({
    summary: 'Count a campaign’s failed recipients by reason',
    description: 'The most frequent reason first, with what to do about it.',
  })
  @ApiOkResponse({ type: FailureListResponse })
  @ApiNotFoundResponse()
  async listFailures(
    @CurrentCaller() { accountId }: Caller,
    @Param('campaign_id', RecordIdPipe) campaignId: string,
  ): Promise<FailureListResponse> {
    return FailureListResponse.from(await this.recipients.failures(accountId, campaignId));
  }

  @Get('progress')
  @RequiresScope('campaigns:read')
  @ApiOperation({
    summary: 'Show how fast a campaign was sent',
    description:
      'How many of its messages the network accepted in each interval, from the first acceptance to the last one, or to ' +
      'now while it runs. A recipient who was retried has several messages.',
  })
  @ApiOkResponse({ type: CampaignProgressResponse })
  @ApiNotFoundResponse()
  async showProgress(
    @CurrentCaller() { accountId }: Caller,
    @Param('campaign_id', RecordIdPipe) campaignId: string,
  ): Promise<CampaignProgressResponse> {
    return CampaignProgressResponse.from(await this.recipients.progress(accountId, campaignId));
  }

  @Get('recipients.csv')
  @RequiresRole('manager')
  @RequiresScope('campaigns:read')
  @ApiOperation({
    summary: 'Export a campaign’s recipients as CSV',
    description:
      'The file begins with a byte order mark. Values that a spreadsheet would run as a formula are prefixed with an apostrophe.',
  })
  @ApiProduces('text/csv')
  @ApiOkResponse({ description: 'The file, with a header line', schema: { type: 'string' } })
  @ApiNotFoundResponse()
  async exportRecipients(
    @CurrentCaller() { accountId }: Caller,
    @Param('campaign_id', RecordIdPipe) campaignId: string,
    @Query() query: CsvFileQuery,
  ): Promise<StreamableFile> {
    return csvDownload(await this.recipients.export(accountId, campaignId), 'recipients.csv', query);
  }
}
