import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Id, IdList, Iso8601, Optional, Text, TimeZone, WholeNumber } from '../../http/field-rules.js';
import { AsGiven } from '../../http/request-validation.pipe.js';
import { SuccessResponse } from '../../http/responses.dto.js';
import { FillingFields } from '../../templates/dto/sending-fields.dto.js';
import type { CampaignContent } from '../authoring/campaign-content.js';
import { type GivenRecipient, MAX_CONTACTS, MAX_GROUPS } from '../authoring/recipient-list.js';
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
  @ApiProperty({
    description: 'Any common way of writing the number; it is normalised',
    maxLength: 64,
    example: '+49 151 23456789',
  })
  phone: string;

  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    maxLength: 256,
    description: 'Names a contact that has no name yet',
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

  @ApiProperty({ description: 'An APPROVED template of the account' })
  @Text({ max: 512 })
  template_name: string;

  @ApiProperty({ description: 'Needed when the template exists in several languages' })
  @Optional()
  @Text({ max: 16 })
  template_language?: string;

  @ApiPropertyOptional({
    ...BODY_DATA_SCHEMA,
    description: 'Value per variable of the body; required if the template has variables that not every contact brings',
  })
  @Optional()
  @BodyData()
  body_data?: BodyDataField;

  @ApiPropertyOptional({
    type: [CampaignContact],
    minItems: 1,
    maxItems: MAX_CONTACTS,
    description:
      `Required unless \`group_ids\` is given; with it, at most ${MAX_CONTACTS} different contacts in all. Of two ` +
      'entries with the same number the first counts. The whole body may have 4 MiB, which is 400 bytes for each of ' +
      `${MAX_CONTACTS} entries`,
  })
  @AsGiven()
  @CampaignContacts()
  contacts?: CampaignContact[];

  @ApiProperty({ description: 'Groups whose members are recipients, as they are when the campaign is created' })
  @Optional()
  @IdList(1, MAX_GROUPS)
  group_ids?: string[];

  @ApiProperty({ description: 'Default: the template’s business phone, then the account’s first' })
  @Optional()
  @Id()
  waba_phone_id?: string;

  @ApiProperty({
    description: 'When the campaign sends itself; without an offset, as the clocks of `scheduled_timezone` show it',
    example: '2030-01-31T09:30:00',
  })
  @Optional()
  @Iso8601()
  scheduled_at?: string;

  @ApiPropertyOptional({ type: SendWindowField, description: 'The hours in which the campaign may send' })
  @Optional()
  @SendWindowRule()
  send_window?: SendWindowField;

  @ApiProperty({
    description:
      'Who is not sent to by then never will be; without an offset, as the clocks of `scheduled_timezone` show it',
    example: '2030-01-31T20:00:00',
  })
  @Optional()
  @Iso8601()
  send_before?: string;

  @ApiProperty({
    description:
      'The campaign pauses itself when more than that many of the last 100 recipients that the network answered failed',
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

  toRecipients(): GivenRecipient[] {
    return (this.contacts ?? []).map(({ phone, name, ...fields }) => ({
      phone,
      name: name ?? null,
      personal: personalValues(fields),
    }));
  }
}

/** Answer of `POST /api/v1/campaigns/`. */
export class CreateCampaignResponse extends SuccessResponse {
  @ApiProperty()
  message: string;

  @ApiProperty({ format: 'uuid' })
  campaign_id: string;

  @ApiProperty()
  name: string;

  @ApiProperty({ enum: ['draft', 'scheduled'] })
  status_value: 'draft' | 'scheduled';

  @ApiProperty({ type: 'integer', description: 'Recipients after normalising and removing duplicates' })
  total_contacts: number;

  @ApiProperty({ type: [String], description: 'Phones that could not be normalised, as given; they were skipped' })
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
