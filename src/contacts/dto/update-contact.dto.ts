import { ApiProperty } from '@nestjs/swagger';
import { MayBeAbsent, Optional, PhoneDigits, Text, TrueOrFalse } from '../../http/field-rules.js';
import { TextList } from '../../http/list-rules.js';
import { CONTACT_LIMITS } from '../contact-rules.js';
import type { ContactChanges } from '../contacts.queries.js';
import { blankToNull, EmailAddress } from './contact-fields.js';

/** Request body of change contact: absent fields stay unchanged; null or an empty string clears an optional field. */
export class UpdateContactRequest {
  @ApiProperty({ description: 'Digits with the country code, no +' })
  @MayBeAbsent()
  @PhoneDigits()
  phone_number?: string;

  @MayBeAbsent()
  @Text({ max: CONTACT_LIMITS.firstName })
  first_name?: string;

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

  @ApiProperty({
    description:
      'Whether the contact may be sent MARKETING templates; true also lifts an opt-out by the contact itself',
  })
  @MayBeAbsent()
  @TrueOrFalse()
  opted_in?: boolean;

  toChanges(): ContactChanges {
    return {
      phoneNumber: this.phone_number,
      firstName: this.first_name,
      lastName: this.last_name === undefined ? undefined : blankToNull(this.last_name),
      email: this.email === undefined ? undefined : blankToNull(this.email),
      company: this.company === undefined ? undefined : blankToNull(this.company),
      tags: this.tags === undefined ? undefined : (this.tags ?? []),
    };
  }
}
