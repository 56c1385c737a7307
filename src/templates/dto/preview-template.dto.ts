import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Id, Optional, Text } from '../../http/field-rules.js';
import { SuccessResponse } from '../../http/responses.dto.js';
import { PreviewButton } from '../rendering/preview-button.js';
import type { TemplatePreview } from '../rendering/template-message.js';
import { MAX_LANGUAGE_SOUGHT, MAX_TEMPLATE_NAME } from '../template.js';
import { SendingFields } from './sending-fields.dto.js';

/** Body of `POST /api/v1/templates/preview`: the fields of a send. */
export class PreviewTemplateRequest extends SendingFields {
  @ApiProperty({ description: 'Case-sensitive' })
  @Text({ max: MAX_TEMPLATE_NAME })
  template_name: string;

  @ApiProperty({ description: 'Required if the template exists in several languages' })
  @Optional()
  @Text({ max: MAX_LANGUAGE_SOUGHT, blank: true })
  template_language?: string;

  @ApiProperty({ description: 'Default: the primary phone' })
  @Optional()
  @Id()
  waba_phone_id?: string;
}

/** How the message will look. */
export class PreviewRecord {
  @ApiProperty({ type: String, nullable: true, description: 'Text, media URL or location of the header' })
  header: string | null;

  @ApiProperty({ description: 'Variables without a value stay as they are; a one-time code is shown as `•`' })
  body: string;

  @ApiProperty({ type: String, nullable: true })
  footer: string | null;

  @ApiProperty({ type: [PreviewButton] })
  buttons: PreviewButton[];

  @ApiProperty({ type: [String], description: 'Fields that a send would still need', example: ['body_data.2'] })
  missing: string[];

  @ApiPropertyOptional({
    type: [String],
    example: ['BUTTON:MPM'],
    description:
      'Parts that are not shown and that no send can fill in, as in the template; absent when there are none',
  })
  unsupported?: string[];
}

/** Response of `POST /api/v1/templates/preview`. */
export class PreviewTemplateResponse extends SuccessResponse {
  @ApiProperty({ type: PreviewRecord })
  preview: PreviewRecord;

  static from({ header, body, footer, buttons, missing, unsupported }: TemplatePreview): PreviewTemplateResponse {
    return {
      status: 'success',
      preview: {
        header,
        body,
        footer,
        buttons: buttons.map(PreviewButton.from),
        missing: [...missing],
        ...(unsupported.length === 0 ? {} : { unsupported: [...unsupported] }),
      },
    };
  }
}
