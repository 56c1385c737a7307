import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Optional, PhoneDigits, Text, TextList } from '../../http/field-rules.js';
import { CONTACT_LIMITS } from '../contact-limits.js';
import type { NewContact } from '../contacts.queries.js';
import { EmailAddress, orNull } from './contact-fields.js';

/** Request body of create contact. */
export class CreateContactRequest {
  @ApiProperty({ example: '491512345678', description: 'Digits with the country code, no +' })
  @PhoneDigits()
  phone_number: string;

  @ApiProperty({ maxLength: CONTACT_LIMITS.firstName })
  @Text({ max: CONTACT_LIMITS.firstName })
  first_name: string;

  @ApiPropertyOptional({ maxLength: CONTACT_LIMITS.lastName })
  @Optional()
  @Text({ max: CONTACT_LIMITS.lastName, blank: true })
  last_name?: string | null;

  @ApiPropertyOptional({ maxLength: CONTACT_LIMITS.email })
  @Optional()
  @EmailAddress()
  email?: string | null;

  @ApiPropertyOptional({ maxLength: CONTACT_LIMITS.company })
  @Optional()
  @Text({ max: CONTACT_LIMITS.company, blank: true })
  company?: string | null;

  @ApiPropertyOptional({ type: [String], maxItems: CONTACT_LIMITS.tags })
  @Optional()
  @TextList(CONTACT_LIMITS.tags, CONTACT_LIMITS.tag)
  tags?: string[] | null;

  toContact(): NewContact {
    return {
      phoneNumber: this.phone_number,
      firstName: this.first_name,
      lastName: orNull(this.last_name),
      email: orNull(this.email),
      company: orNull(this.company),
      tags: this.tags ?? [],
    };
  }
}
