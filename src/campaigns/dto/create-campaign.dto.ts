import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Id, Iso8601, Optional, Text, TimeZone, Unavailable, WholeNumber } from '../../http/field-rules.js';
import { SuccessResponse } from '../../http/responses.dto.js';
import { SendingFields } from '../../templates/dto/sending-fields.dto.js';
import type { CreatedCampaign } from '../campaigns.service.js';
import { CampaignContacts } from './campaign-contacts.rule.js';
import { SendWindowField, SendWindowRule } from './send-window.field.js';

/** One entry of `contacts`. */
export class CampaignContact {
  @ApiProperty({ description: 'Any common way of writing the number; it is normalised', example: '+49 151 23456789' })
  phone: string;

  @ApiPropertyOptional({ description: 'Names a contact that has no name yet' })
  name?: string;
}

/** Body of `POST /api/v1/campaigns/`. */
export class CreateCampaignRequest extends SendingFields {
  @ApiProperty()
  @Text({ max: 256 })
  name: string;

  @ApiPropertyOptional()
  @Optional()
  @Text({ max: 4096, blank: true })
  description?: string;

  @ApiProperty({ description: 'An APPROVED template of the account' })
  @Text({ max: 512 })
  template_name: string;

  @ApiPropertyOptional({ description: 'Needed when the template exists in several languages' })
  @Optional()
  @Text({ max: 16 })
  template_language?: string;

  @ApiProperty({ type: [CampaignContact], minItems: 1, maxItems: 10_000 })
  @CampaignContacts()
  contacts: CampaignContact[];

  @ApiPropertyOptional({ description: 'Default: the template’s business phone, then the account’s first' })
  @Optional()
  @Id()
  waba_phone_id?: string;

  // A field that would be ignored silently is worse than one that is refused: the campaign would never go out.
  @Optional()
  @Unavailable('create a draft and send it with POST /api/v1/campaigns/{campaign_id}/send')
  scheduled_at?: unknown;

  @ApiPropertyOptional({ description: 'An IANA time zone; default: UTC', example: 'Europe/Berlin' })
  @Optional()
  @TimeZone()
  scheduled_timezone?: string;

  @ApiPropertyOptional({ type: SendWindowField, description: 'The hours in which the campaign may send' })
  @Optional()
  @SendWindowRule()
  send_window?: SendWindowField;

  @ApiPropertyOptional({
    description:
      'Who is not sent to by then never will be; without an offset, as the clocks of `scheduled_timezone` show it',
    example: '2030-01-31T20:00:00',
  })
  @Optional()
  @Iso8601()
  send_before?: string;

  @ApiPropertyOptional({
    minimum: 1,
    maximum: 100,
    description:
      'The campaign pauses itself when more than that many of the last 100 recipients that the network answered failed',
  })
  @Optional()
  @WholeNumber(1, 100)
  max_failure_percent?: number;

  @Optional()
  @Unavailable('name the recipients in contacts')
  group_ids?: unknown;
}

/** Answer of `POST /api/v1/campaigns/`. */
export class CreateCampaignResponse extends SuccessResponse {
  @ApiProperty()
  message: string;

  @ApiProperty()
  campaign_id: string;

  @ApiProperty()
  name: string;

  @ApiProperty({ enum: ['draft', 'scheduled'] })
  status_value: 'draft' | 'scheduled';

  @ApiProperty({ description: 'Recipients after normalising and removing duplicates' })
  total_contacts: number;

  @ApiProperty({ type: [String], description: 'Phones that could not be normalised, as given; they were skipped' })
  invalid_phones: string[];

  @ApiProperty()
  timestamp: string;

  static from(
    campaign: Pick<CreatedCampaign, 'id' | 'name' | 'createdAt' | 'status' | 'totalContacts'>,
    invalidPhones: string[],
  ): CreateCampaignResponse {
    return {
      status: 'success',
      message: `Campaign created as ${campaign.status} for ${campaign.totalContacts} contacts`,
      campaign_id: campaign.id,
      name: campaign.name,
      status_value: campaign.status,
      total_contacts: campaign.totalContacts,
      invalid_phones: invalidPhones,
      timestamp: campaign.createdAt.toISOString(),
    };
  }
}
