import { ApiProperty } from '@nestjs/swagger';
import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import { RESTRICTION_TYPES, type Restriction, type RestrictionType } from '../../accounts/restrictions.js';
import type { PageQuery } from '../../http/page.dto.js';
import { PagedResponse } from '../../http/responses.dto.js';
import { cutToPage, offsetOf, type Paged, rowsToRead } from '../../values/page.js';

/** The restriction of a business phone. */
export class RestrictionField {
  @ApiProperty({
    enum: RESTRICTION_TYPES,
    description:
      'Under `RESTRICTED_BIZ_INITIATED_MESSAGING` only contacts with an open service window get templates, under ' +
      '`RESTRICTED_CUSTOMER_INITIATED_MESSAGING` nobody gets replies, under `RESTRICTED_UTILITY_TEMPLATES` and ' +
      '`RATE_LIMITED_UTILITY_TEMPLATE_MESSAGING` nobody gets UTILITY templates. `SCHEDULE_FOR_DISABLE` only announces; ' +
      'under the others nothing can be sent',
  })
  type: RestrictionType;

  @ApiProperty({
    description: 'What it means, with what the network said about it',
    example: 'the network refuses templates to contacts without an open service window',
  })
  reason: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it ends by itself; null if only the network can lift it',
  })
  until: string | null;

  static from({ type, reason, until }: Restriction): RestrictionField {
    return { type, reason, until: until?.toISOString() ?? null };
  }
}

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

  @ApiProperty({
    type: RestrictionField,
    nullable: true,
    description: 'What the network restricts, of several restrictions the strictest; null for nothing',
  })
  restriction: RestrictionField | null;

  static from(phone: BusinessPhone): BusinessPhoneRecord {
    const [strictest] = phone.restrictions;
    return {
      waba_phone_id: phone.id,
      phone_number_id: phone.phoneNumberId,
      waba_id: phone.wabaId,
      phone: phone.phone,
      throughput: phone.throughput,
      is_primary: phone.isPrimary,
      quality: phone.quality,
      messaging_limit: phone.messagingLimit,
      restriction: strictest === undefined ? null : RestrictionField.from(strictest),
    };
  }
}

/** One page of business phones, primary first. */
export class BusinessPhoneListResponse extends PagedResponse {
  @ApiProperty({ type: [BusinessPhoneRecord] })
  business_phones: BusinessPhoneRecord[];

  /** @param phones all phones of the account */
  static from(phones: readonly BusinessPhone[], query: PageQuery): BusinessPhoneListResponse {
    const { rows, next } = pageOf(phones, query);
    const paging = PagedResponse.paging({ rows, next, total: phones.length }, query);
    return { status: 'success', business_phones: rows.map(BusinessPhoneRecord.from), ...paging };
  }
}

/** A walk follows the ids, oldest first: another phone may become primary while it goes on. */
function pageOf(phones: readonly BusinessPhone[], query: PageQuery): Pick<Paged<BusinessPhone>, 'rows' | 'next'> {
  if (query.cursor === undefined) return { rows: phones.slice(offsetOf(query), offsetOf(query) + query.limit) };
  const [after = ''] = query.cursor.after ?? [];
  const behind = phones.filter(({ id }) => id > after).sort((one, other) => (one.id < other.id ? -1 : 1));
  return cutToPage(behind.slice(0, rowsToRead(query)), query, ({ id }) => [id]);
}
