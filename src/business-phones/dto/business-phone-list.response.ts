import { ApiProperty } from '@nestjs/swagger';
import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import { PagedResponse } from '../../http/responses.dto.js';
import { offsetOf, type Page } from '../../values/page.js';

/** Business phone record. */
export class BusinessPhoneRecord {
  @ApiProperty({ description: 'The record id, which identifies the phone in the API' })
  waba_phone_id: string;

  @ApiProperty({ description: 'The network id of the phone' })
  phone_number_id: string;

  @ApiProperty({ description: 'The network id of its business account' })
  waba_id: string;

  @ApiProperty({ description: 'The number, digits with the country code first' })
  phone: string;

  @ApiProperty({ type: 'integer', description: 'Messages per second, 0 = no limit' })
  throughput: number;

  @ApiProperty({ description: 'True for exactly one phone: the flagged one, or else the oldest' })
  is_primary: boolean;

  @ApiProperty({ enum: ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'], nullable: true, description: 'The network rating' })
  quality: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'How many people all phones of the business portfolio together may message in 24 hours outside open service ' +
      'windows; -1 = unlimited, null = not known yet',
  })
  messaging_limit: number | null;

  static from(phone: BusinessPhone): BusinessPhoneRecord {
    return {
      waba_phone_id: phone.id,
      phone_number_id: phone.phoneNumberId,
      waba_id: phone.wabaId,
      phone: phone.phone,
      throughput: phone.throughput,
      is_primary: phone.isPrimary,
      quality: phone.quality,
      messaging_limit: phone.messagingLimit,
    };
  }
}

/** One page of business phones, primary first. */
export class BusinessPhoneListResponse extends PagedResponse {
  @ApiProperty({ type: [BusinessPhoneRecord] })
  business_phones: BusinessPhoneRecord[];

  /** @param phones all phones of the account */
  static from(phones: readonly BusinessPhone[], page: Page): BusinessPhoneListResponse {
    const start = offsetOf(page);
    const rows = phones.slice(start, start + page.limit);
    return {
      status: 'success',
      business_phones: rows.map(BusinessPhoneRecord.from),
      total: phones.length,
      page: page.page,
      limit: page.limit,
    };
  }
}
