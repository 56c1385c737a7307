import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { AbsenceMeansMore, MayBeAbsent, Optional, PhoneDigits, Text, TrueOrFalse } from '../../http/field-rules.js';
import { TextList } from '../../http/list-rules.js';
import { CONTACT_LIMITS } from '../contact-rules.js';
import type { NewContact } from '../contacts.queries.js';
import { blankToNull, EmailAddress } from './contact-fields.js';

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

  @ApiPropertyOptional({
    description:
      'Whether the contact may be sent MARKETING templates; true also lifts an earlier opt-out by the contact itself. ' +
      'Without it an earlier decision stays in force, else the contact is opted in',
  })
  @AbsenceMeansMore()
  @MayBeAbsent()
  @TrueOrFalse()
  opted_in?: boolean;

  toContact(): NewContact {
    return {
      phoneNumber: this.phone_number,
      firstName: this.first_name,
      lastName: blankToNull(this.last_name),
      email: blankToNull(this.email),
      company: blankToNull(this.company),
      tags: this.tags ?? [],
    };
  }
}
