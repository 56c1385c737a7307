import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BUTTON_TYPES, CATEGORIES, HEADER_FORMATS } from '../template.js';

// These classes only describe the bodies for OpenAPI. draft-reader.ts parses them, because a wrong type is a 422 for
// most fields here and a 400 for a few.

const EXAMPLES = { type: 'object', additionalProperties: { type: 'string' } } as const;

export class TemplateHeaderField {
  @ApiProperty({ enum: HEADER_FORMATS })
  format: string;

  @ApiPropertyOptional({ maxLength: 60, description: 'Required for TEXT; at most one variable' })
  text?: string;

  @ApiPropertyOptional({ ...EXAMPLES, description: 'One example value per header variable' })
  text_example?: Record<string, string>;
}

export class TemplateBodyField {
  @ApiProperty({ maxLength: 1024, description: 'At most 600 characters with a limited-time offer' })
  text: string;

  @ApiPropertyOptional({ ...EXAMPLES, description: 'One example value per variable' })
  examples?: Record<string, string>;
}

export class TemplateFooterField {
  @ApiProperty({ maxLength: 60, description: 'No variables' })
  text: string;
}

export class TemplateButtonField {
  @ApiProperty({ enum: BUTTON_TYPES })
  type: string;

  @ApiPropertyOptional({ maxLength: 25 })
  text?: string;

  @ApiPropertyOptional({ maxLength: 2000, description: 'For URL; may end with {{1}}' })
  url?: string;

  @ApiPropertyOptional()
  url_example?: string;

  @ApiPropertyOptional({ description: 'For PHONE_NUMBER' })
  phone_number?: string;

  @ApiPropertyOptional({ maxLength: 20, description: 'For COPY_CODE, unless offer_code is set' })
  copy_code_example?: string;

  @ApiPropertyOptional({ description: 'For FLOW' })
  flow_id?: string;

  @ApiPropertyOptional({ enum: ['navigate', 'data_exchange'], default: 'navigate' })
  flow_action?: string;

  @ApiPropertyOptional()
  navigate_screen?: string;
}

export class LimitedTimeOfferField {
  @ApiProperty({ maxLength: 16 })
  text: string;

  @ApiPropertyOptional({ default: true, description: 'Whether the message shows a countdown' })
  has_expiration?: boolean;
}

/** Body of `POST /api/v1/templates/create`. */
export class CreateTemplateRequest {
  @ApiProperty({ maxLength: 512, pattern: '^[a-z0-9_]+$' })
  name: string;

  @ApiProperty({ enum: CATEGORIES })
  category: string;

  @ApiPropertyOptional({ default: 'en_US' })
  language?: string;

  @ApiPropertyOptional({ description: 'Default: the primary phone' })
  waba_phone_id?: string;

  @ApiPropertyOptional({ type: TemplateHeaderField })
  header?: TemplateHeaderField;

  @ApiPropertyOptional({ description: 'Required for IMAGE, VIDEO and DOCUMENT headers' })
  media_url?: string;

  @ApiPropertyOptional({ type: TemplateBodyField, description: 'Required for MARKETING and UTILITY' })
  body?: TemplateBodyField;

  @ApiPropertyOptional({ type: TemplateFooterField })
  footer?: TemplateFooterField;

  @ApiPropertyOptional({ type: [TemplateButtonField], maxItems: 10 })
  buttons?: TemplateButtonField[];

  @ApiPropertyOptional({ type: LimitedTimeOfferField, description: 'MARKETING only' })
  limited_time_offer?: LimitedTimeOfferField;

  @ApiPropertyOptional({ maxLength: 15 })
  offer_code?: string;

  @ApiPropertyOptional({ description: 'AUTHENTICATION only' })
  add_security_recommendation?: boolean;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 90, description: 'AUTHENTICATION only' })
  code_expiration_minutes?: number;

  @ApiPropertyOptional({ type: 'integer', description: 'How long the network may try to deliver a message, seconds' })
  message_send_ttl_seconds?: number;
}

export class CarouselCardField {
  @ApiProperty({ enum: ['IMAGE', 'VIDEO'] })
  header_format: string;

  @ApiProperty()
  media_url: string;

  @ApiPropertyOptional({ maxLength: 160 })
  body_text?: string;

  @ApiProperty({ type: [TemplateButtonField], minItems: 1, maxItems: 2 })
  buttons: TemplateButtonField[];
}

/** Body of `POST /api/v1/templates/create-carousel`. */
export class CreateCarouselRequest {
  @ApiProperty({ maxLength: 512, pattern: '^[a-z0-9_]+$' })
  name: string;

  @ApiPropertyOptional({ default: 'en_US' })
  language?: string;

  @ApiPropertyOptional({ description: 'Default: the primary phone' })
  waba_phone_id?: string;

  @ApiProperty({ type: TemplateBodyField })
  body: TemplateBodyField;

  @ApiProperty({ type: [CarouselCardField], minItems: 2, maxItems: 10 })
  cards: CarouselCardField[];

  @ApiPropertyOptional({ type: 'integer', description: 'How long the network may try to deliver a message, seconds' })
  message_send_ttl_seconds?: number;
}
