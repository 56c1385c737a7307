import { ApiProperty } from '@nestjs/swagger';
import { AbsenceMeansMore, Id, Iso8601, Optional, Text, TimeZone, WholeNumber } from '../../http/field-rules.js';
import { gotInstead, IdList, ObjectList, ObjectOf } from '../../http/list-rules.js';
import { SuccessResponse } from '../../http/responses.dto.js';
import { DefaultCountry } from '../../people/default-country.field.js';
import { mapInSlices } from '../../runtime/slices.js';
import { FillingFields } from '../../templates/dto/sending-fields.dto.js';
import { MAX_LANGUAGE, MAX_TEMPLATE_NAME } from '../../templates/template.js';
import { MAX_CONTACTS, MAX_GROUPS, type RecipientInput } from '../authoring/recipient-list.js';
import { type CampaignContent, DEFAULT_MAX_FAILURE_PERCENT } from '../campaign.js';
import type { CreatedCampaign } from '../campaigns.service.js';
import { BodyData, type BodyDataField, bodyValues, PersonalFields, personalValues } from './personal-fields.js';
import { SendWindowField } from './send-window.field.js';

/** Characters of a number as given, and of a name. */
const MAX_PHONE = 64;
const MAX_NAME = 256;
const MAX_DESCRIPTION = 4096;
const MAX_PERCENT = 100;

/** One entry of `contacts`. */
export class CampaignContact extends PersonalFields {
  @ApiProperty({
    description: 'With its country code, or as dialled in `default_country`; in any common format',
    example: '+49 151 23456789',
  })
  @Text({ max: MAX_PHONE, blank: 'not empty' })
  phone: string;

  @ApiProperty({ description: 'Name for the contact if it has none yet' })
  @Optional()
  @Text({ max: MAX_NAME, blank: true })
  name?: string | null;
}

/** Body of `POST /api/v1/campaigns/`. */
export class CreateCampaignRequest extends FillingFields {
  @Text({ max: MAX_NAME })
  name: string;

  @Optional()
  @Text({ max: MAX_DESCRIPTION, blank: true })
  description?: string;

  @ApiProperty({ description: 'Name of an APPROVED template' })
  @Text({ max: MAX_TEMPLATE_NAME })
  template_name: string;

  @ApiProperty({ description: 'Required if the template exists in several languages' })
  @Optional()
  @Text({ max: MAX_LANGUAGE, blank: true })
  template_language?: string;

  @ApiProperty({
    description:
      'Values of the body variables. Required for variables that some entry of `contacts` has no value of its own for',
  })
  @Optional()
  @BodyData()
  body_data?: BodyDataField;

  @ApiProperty({
    required: false,
    description:
      `Required unless \`group_ids\` is given. A campaign has at most ${MAX_CONTACTS} contacts, including those from ` +
      'groups. If several entries have the same number, in any spelling, the first one is used. The request body is limited to 4 MiB, ' +
      `about 400 bytes per entry for ${MAX_CONTACTS} entries`,
  })
  @ObjectList(CampaignContact, {
    max: MAX_CONTACTS,
    or: 'group_ids',
    long: true,
    says: 'must be an array of {phone, name?}',
    entry: (path, entry) => `${path} must be an object with phone and optionally name (got ${gotInstead(entry)})`,
  })
  contacts?: CampaignContact[];

  @Optional()
  @DefaultCountry()
  default_country?: string;

  @ApiProperty({ description: 'Groups to send to. Members are determined when the campaign is created' })
  @Optional()
  @IdList(0, MAX_GROUPS)
  group_ids?: string[];

  @ApiProperty({ description: 'Default: the template’s business phone, then the account’s first' })
  @Optional()
  @Id()
  waba_phone_id?: string;

  @ApiProperty({
    description:
      'When to send the campaign. Without an offset, it is local time in `scheduled_timezone`. If the service is away ' +
      'then and comes back more than 6 hours later, the campaign becomes `failed` and can be resumed',
    example: '2030-01-31T09:30:00',
  })
  @Optional()
  @Iso8601()
  scheduled_at?: string;

  @ApiProperty({ description: 'Hours of the day when the campaign may send' })
  @AbsenceMeansMore()
  @Optional()
  @ObjectOf(SendWindowField, { says: 'must be an object with from, to and timezone', firstOnly: true })
  send_window?: SendWindowField;

  @ApiProperty({
    description:
      'Recipients not sent to by then are cancelled; must be later than `scheduled_at`. Without an offset, it is local ' +
      'time in `scheduled_timezone`',
    example: '2030-01-31T20:00:00',
  })
  @Optional()
  @Iso8601()
  send_before?: string;

  @ApiProperty({
    description:
      'The campaign pauses itself when more than this many of the last 100 recipients failed, counting only messages ' +
      'the network accepted or refused. 0: never',
    default: DEFAULT_MAX_FAILURE_PERCENT,
  })
  @AbsenceMeansMore()
  @Optional()
  @WholeNumber(0, MAX_PERCENT)
  max_failure_percent?: number;

  @ApiProperty({ description: 'An IANA time zone; default: UTC', example: 'Europe/Berlin' })
  @Optional()
  @TimeZone()
  scheduled_timezone?: string;

  toContent(): CampaignContent {
    return { ...this.toFilling(), bodyData: bodyValues(this.body_data ?? {}) };
  }

  toRecipients(): Promise<RecipientInput[]> {
    return mapInSlices(this.contacts ?? [], ({ phone, name, ...fields }) => ({
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
