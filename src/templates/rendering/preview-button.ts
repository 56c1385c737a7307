import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { FilledButton } from './button-filling.js';

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
