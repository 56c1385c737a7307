import { ApiProperty } from '@nestjs/swagger';
import { Optional, PhoneDigits, Text, TextList, TrueOrFalse } from '../../http/field-rules.js';
import { CONTACT_LIMITS } from '../contact-limits.js';
import type { ContactChanges } from '../contacts.queries.js';
import { EmailAddress, MayBeAbsent, orNull } from './contact-fields.js';

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

  @ApiProperty({ description: 'Whether the contact may be sent MARKETING templates' })
  @MayBeAbsent()
  @TrueOrFalse()
  opted_in?: boolean;

  toChanges(): ContactChanges {
    return {
      phoneNumber: this.phone_number,
      firstName: this.first_name,
      lastName: this.last_name === undefined ? undefined : orNull(this.last_name),
      email: this.email === undefined ? undefined : orNull(this.email),
      company: this.company === undefined ? undefined : orNull(this.company),
      tags: this.tags === undefined ? undefined : (this.tags ?? []),
      optedIn: this.opted_in,
    };
  }
}
