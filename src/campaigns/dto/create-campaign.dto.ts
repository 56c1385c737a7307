import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Id, IdList, Iso8601, Optional, Text, TimeZone, WholeNumber } from '../../http/field-rules.js';
import { AsGiven } from '../../http/request-validation.pipe.js';
import { SuccessResponse } from '../../http/responses.dto.js';
import { FillingFields } from '../../templates/dto/sending-fields.dto.js';
import type { CampaignContent } from '../authoring/campaign-content.js';
import { MAX_CONTACTS, MAX_GROUPS, type RecipientInput } from '../authoring/recipient-list.js';
import type { CreatedCampaign } from '../campaigns.service.js';
import { CampaignContacts } from './campaign-contacts.rule.js';
import {
  BODY_DATA_SCHEMA,
  BodyData,
  type BodyDataField,
  bodyValues,
  PersonalFields,
  personalValues,
} from './personal-fields.js';
import { SendWindowField, SendWindowRule } from './send-window.field.js';

/** One entry of `contacts`. */
export class CampaignContact extends PersonalFields {
  @ApiProperty({ description: 'In any common format; it is normalised', maxLength: 64, example: '+49 151 23456789' })
  phone: string;

  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    maxLength: 256,
    description: 'Name for the contact if it has none yet',
  })
  name?: string | null;
}

/** Body of `POST /api/v1/campaigns/`. */
export class CreateCampaignRequest extends FillingFields {
  @Text({ max: 256 })
  name: string;

  @Optional()
  @Text({ max: 4096, blank: true })
  description?: string;

  @ApiProperty({ description: 'Name of an APPROVED template' })
  @Text({ max: 512 })
  template_name: string;

  @ApiProperty({ description: 'Required if the template exists in several languages' })
  @Optional()
  @Text({ max: 16 })
  template_language?: string;

  @ApiPropertyOptional({
    ...BODY_DATA_SCHEMA,
    description:
      'Values of the body variables. Required for variables that some entry of `contacts` has no value of its own for',
  })
  @Optional()
  @BodyData()
  body_data?: BodyDataField;

  @ApiPropertyOptional({
    type: [CampaignContact],
    minItems: 1,
    maxItems: MAX_CONTACTS,
    description:
      `Required unless \`group_ids\` is given. A campaign has at most ${MAX_CONTACTS} contacts, including those from ` +
      'groups. If several entries have the same number, the first one is used. The request body is limited to 4 MiB, ' +
      `about 400 bytes per entry for ${MAX_CONTACTS} entries`,
  })
  @AsGiven()
  @CampaignContacts()
  contacts?: CampaignContact[];

  @ApiProperty({ description: 'Groups to send to. Members are determined when the campaign is created' })
  @Optional()
  @IdList(1, MAX_GROUPS)
  group_ids?: string[];

  @ApiProperty({ description: 'Default: the template’s business phone, then the account’s first' })
  @Optional()
  @Id()
  waba_phone_id?: string;

  @ApiProperty({
    description: 'When to send the campaign. Without an offset, it is local time in `scheduled_timezone`',
    example: '2030-01-31T09:30:00',
  })
  @Optional()
  @Iso8601()
  scheduled_at?: string;

  @ApiPropertyOptional({ type: SendWindowField, description: 'Hours of the day when the campaign may send' })
  @Optional()
  @SendWindowRule()
  send_window?: SendWindowField;

  @ApiProperty({
    description:
      'Recipients not sent to by then are cancelled. Without an offset, it is local time in `scheduled_timezone`',
    example: '2030-01-31T20:00:00',
  })
  @Optional()
  @Iso8601()
  send_before?: string;

  @ApiProperty({
    description:
      'The campaign pauses itself when more than this many of the last 100 recipients failed, counting only messages ' +
      'the network accepted or refused',
  })
  @Optional()
  @WholeNumber(1, 100)
  max_failure_percent?: number;

  @ApiProperty({ description: 'An IANA time zone; default: UTC', example: 'Europe/Berlin' })
  @Optional()
  @TimeZone()
  scheduled_timezone?: string;

  toContent(): CampaignContent {
    return { ...this.toFilling(), bodyData: bodyValues(this.body_data ?? {}) };
  }

  toRecipients(): RecipientInput[] {
    return (this.contacts ?? []).map(({ phone, name, ...fields }) => ({
      phone,
      name: name ?? null,
      personal: personalValues(fields),
    }));
  }
}

/** Response of `POST /api/v1/campaigns/`. */
export class CreateCampaignResponse extends SuccessResponse {
  @ApiProperty()
  message: string;

  @ApiProperty({ format: 'uuid' })
  campaign_id: string;

  @ApiProperty()
  name: string;

  @ApiProperty({ enum: ['draft', 'scheduled'] })
  status_value: 'draft' | 'scheduled';

  @ApiProperty({ type: 'integer', description: 'Number of recipients after normalising and removing duplicates' })
  total_contacts: number;

  @ApiProperty({ type: [String], description: 'Phone numbers that were skipped as invalid, as given' })
  invalid_phones: string[];

  @ApiProperty({ format: 'date-time' })
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
