import { ApiPropertyOptional } from '@nestjs/swagger';
import { Optional, PhoneDigits, Text, TextList, TrueOrFalse } from '../../http/field-rules.js';
import { CONTACT_LIMITS } from '../contact-limits.js';
import type { ContactChanges } from '../contacts.queries.js';
import { EmailAddress, MayBeAbsent, orNull } from './contact-fields.js';

/** Request body of change contact: absent fields stay unchanged; null or an empty string clears an optional field. */
export class UpdateContactRequest {
  @ApiPropertyOptional({ description: 'Digits with the country code, no +' })
  @MayBeAbsent()
  @PhoneDigits()
  phone_number?: string;

  @ApiPropertyOptional({ maxLength: CONTACT_LIMITS.firstName })
  @MayBeAbsent()
  @Text({ max: CONTACT_LIMITS.firstName })
  first_name?: string;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: CONTACT_LIMITS.lastName })
  @Optional()
  @Text({ max: CONTACT_LIMITS.lastName, blank: true })
  last_name?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: CONTACT_LIMITS.email })
  @Optional()
  @EmailAddress()
  email?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: CONTACT_LIMITS.company })
  @Optional()
  @Text({ max: CONTACT_LIMITS.company, blank: true })
  company?: string | null;

  @ApiPropertyOptional({ type: [String], nullable: true, maxItems: CONTACT_LIMITS.tags })
  @Optional()
  @TextList(CONTACT_LIMITS.tags, CONTACT_LIMITS.tag)
  tags?: string[] | null;

  @ApiPropertyOptional({ description: 'Whether the contact may be sent MARKETING templates' })
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
