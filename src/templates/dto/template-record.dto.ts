import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Template } from '../template.entity.js';
import {
  BUTTON_TYPES,
  CATEGORIES,
  HEADER_FORMATS,
  STATUSES,
  type StoredButton,
  type StoredCard,
  type StoredOffer,
} from '../template.js';
import { unsupportedParts } from '../template-support.js';

/** A button of a template. */
export class TemplateButtonRecord implements StoredButton {
  @ApiProperty({ example: BUTTON_TYPES[0] })
  type: string;

  @ApiPropertyOptional()
  text?: string;

  @ApiPropertyOptional()
  url?: string;

  @ApiPropertyOptional()
  url_example?: string;

  @ApiPropertyOptional()
  phone_number?: string;

  @ApiPropertyOptional()
  copy_code_example?: string;

  @ApiPropertyOptional()
  flow_id?: string;

  @ApiPropertyOptional()
  flow_action?: string;

  @ApiPropertyOptional()
  navigate_screen?: string;
}

/** A card of a carousel template. */
export class CarouselCardRecord implements StoredCard {
  @ApiProperty({ enum: ['IMAGE', 'VIDEO'] })
  header_format: string;

  @ApiProperty({ type: String, nullable: true })
  media_url: string | null;

  @ApiProperty({ type: String, nullable: true })
  body_text: string | null;

  @ApiProperty({ type: [TemplateButtonRecord] })
  buttons: readonly TemplateButtonRecord[];
}

/** A limited-time offer. */
export class LimitedTimeOfferRecord implements StoredOffer {
  @ApiProperty()
  text: string;

  @ApiProperty()
  has_expiration: boolean;
}

/** A template as the API returns it. */
export class TemplateRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty()
  name: string;

  @ApiProperty({
    enum: CATEGORIES,
    description: 'The category in force. The network may change it, also while the template is approved',
  })
  category: string;

  @ApiProperty({ example: 'en_US' })
  language: string;

  @ApiProperty({ enum: STATUSES })
  status: string;

  @ApiProperty({ description: 'The network’s own status' })
  network_status: string;

  @ApiProperty({ type: String, nullable: true })
  rejection_reason: string | null;

  @ApiProperty({ enum: ['NONE', ...HEADER_FORMATS] })
  header_format: string;

  @ApiProperty()
  body: string;

  @ApiProperty({ type: String, nullable: true })
  footer: string | null;

  @ApiProperty({ type: [TemplateButtonRecord] })
  buttons: readonly TemplateButtonRecord[];

  @ApiProperty({ description: 'Whether sends need a media_url' })
  requires_media: boolean;

  @ApiProperty({ type: 'integer' })
  variable_count: number;

  @ApiProperty({ enum: ['POSITIONAL', 'NAMED'] })
  parameter_format: string;

  @ApiProperty({ description: 'Whether sends need carousel_data' })
  is_carousel: boolean;

  @ApiProperty({ type: [CarouselCardRecord], nullable: true })
  carousel_cards: readonly CarouselCardRecord[] | null;

  @ApiProperty({ type: LimitedTimeOfferRecord, nullable: true })
  limited_time_offer: LimitedTimeOfferRecord | null;

  @ApiProperty({ type: String, nullable: true })
  offer_code: string | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'As the network returns them',
  })
  components: readonly object[];

  @ApiPropertyOptional({
    type: [String],
    example: ['BUTTON:MPM', 'HEADER:GIF'],
    description:
      'The parts that Parley cannot fill in, so that sends and campaigns with the template are a 400; absent when there ' +
      'are none. A kind (`BUTTON:MPM`, `CARD_HEADER:PRODUCT`, `COMPONENT:CALL_PERMISSION_REQUEST`) or a variable ' +
      '(`CARD_BODY:{{1}}`)',
  })
  unsupported?: string[];

  @ApiProperty()
  meta_template_id: string;

  @ApiProperty({ format: 'uuid' })
  waba_phone_id: string;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ format: 'date-time' })
  updated_at: string;

  static from(template: Template): TemplateRecord {
    const unsupported = unsupportedParts(template);
    return {
      id: template.id,
      name: template.name,
      category: template.category,
      language: template.language,
      status: template.status,
      network_status: template.networkStatus,
      rejection_reason: template.rejectionReason,
      header_format: template.headerFormat,
      body: template.body,
      footer: template.footer,
      buttons: template.buttons,
      requires_media: template.requiresMedia,
      variable_count: template.variableCount,
      parameter_format: template.parameterFormat,
      is_carousel: template.isCarousel,
      carousel_cards: template.carouselCards,
      limited_time_offer: template.limitedTimeOffer,
      offer_code: template.offerCode,
      components: template.components,
      ...(unsupported.length === 0 ? {} : { unsupported }),
      meta_template_id: template.metaTemplateId,
      waba_phone_id: template.businessPhoneId,
      created_at: template.createdAt.toISOString(),
      updated_at: template.updatedAt.toISOString(),
    };
  }
}
