import { ApiProperty } from '@nestjs/swagger';
import { Optional, PhoneDigits, Text, TextList } from '../../http/field-rules.js';
import { CONTACT_LIMITS } from '../contact-limits.js';
import type { NewContact } from '../contacts.queries.js';
import { EmailAddress, orNull } from './contact-fields.js';

/** Request body of create contact. */
export class CreateContactRequest {
  @ApiProperty({ example: '491512345678', description: 'Digits with the country code, no +' })
  @PhoneDigits()
  phone_number: string;

  @Text({ max: CONTACT_LIMITS.firstName })
  first_name: string;

  @Optional()
  @Text({ max: CONTACT_LIMITS.lastName, blank: true })
  last_name?: string | null;

  @Optional()
  @EmailAddress()
  email?: string | null;

  @Optional()
  @Text({ max: CONTACT_LIMITS.company, blank: true })
  company?: string | null;

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
