import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Id, Optional, Text } from '../../http/field-rules.js';
import { SuccessResponse } from '../../http/responses.dto.js';
import type { FilledButton } from '../rendering/button-filling.js';
import type { TemplatePreview } from '../rendering/template-message.js';
import { SendingFields } from './sending-fields.dto.js';

/** Body of `POST /api/v1/templates/preview`: the fields of a send. */
export class PreviewTemplateRequest extends SendingFields {
  @ApiProperty({ description: 'Case-sensitive' })
  @Text({ max: 512 })
  template_name: string;

  @ApiProperty({ description: 'Required if the template exists in several languages' })
  @Optional()
  @Text({ max: 32 })
  template_language?: string;

  @ApiProperty({ description: 'Default: the primary phone' })
  @Optional()
  @Id()
  waba_phone_id?: string;
}

/** A button as the recipient sees it. */
export class PreviewButton {
  @ApiProperty()
  type: string;

  @ApiProperty()
  text: string;

  @ApiPropertyOptional()
  url?: string;

  @ApiPropertyOptional()
  phone_number?: string;

  @ApiPropertyOptional()
  coupon_code?: string;

  static from({ type, text, url, phoneNumber, couponCode }: FilledButton): PreviewButton {
    return {
      type,
      text,
      ...(url === null ? {} : { url }),
      ...(phoneNumber === null ? {} : { phone_number: phoneNumber }),
      ...(couponCode === null ? {} : { coupon_code: couponCode }),
    };
  }
}

/** How the message will look. */
export class PreviewRecord {
  @ApiProperty({ type: String, nullable: true, description: 'Text, media URL or location of the header' })
  header: string | null;

  @ApiProperty({ description: 'Variables without a value stay as they are' })
  body: string;

  @ApiProperty({ type: String, nullable: true })
  footer: string | null;

  @ApiProperty({ type: [PreviewButton] })
  buttons: PreviewButton[];

  @ApiProperty({ type: [String], description: 'Fields that a send would still need', example: ['body_data.2'] })
  missing: string[];
}

/** Response of `POST /api/v1/templates/preview`. */
export class PreviewTemplateResponse extends SuccessResponse {
  @ApiProperty({ type: PreviewRecord })
  preview: PreviewRecord;

  static from({ header, body, footer, buttons, missing }: TemplatePreview): PreviewTemplateResponse {
    return {
      status: 'success',
      preview: { header, body, footer, buttons: buttons.map(PreviewButton.from), missing: [...missing] },
    };
  }
}
