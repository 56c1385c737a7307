import { ApiProperty } from '@nestjs/swagger';
import { badRequest } from '../../errors/domain-error.js';
import { Id, Optional, Text } from '../../http/field-rules.js';
import { Checked } from '../../http/request-fields.js';

/** Characters of an e-mail address. */
const MAX_EMAIL = 320;
/** Characters of a password that are read; those that may be chosen are fewer. */
const MAX_PASSWORD = 1024;
/** Characters of a link's token that are read. */
const MAX_LINK = 256;

/** @throws DomainError 400 unless the body has either a link, or an address and a password */
function checkCredentials({ email, password, link, organisation_id }: SignInRequest): void {
  if (link !== undefined) {
    const others = Object.entries({ email, password, organisation_id }).filter(([, value]) => value !== undefined);
    if (others[0] !== undefined) throw badRequest(`link must not be combined with ${others[0][0]}`);
    return;
  }
  if (email === undefined) throw badRequest('email is required, or a link');
  if (password === undefined) throw badRequest('password is required');
}

/** Body of `POST /api/v1/session`. */
@Checked(checkCredentials)
export class SignInRequest {
  @ApiProperty({ example: 'olive@shop.example', description: 'Case makes no difference' })
  @Optional()
  @Text({ max: MAX_EMAIL })
  email?: string;

  @ApiProperty({ example: 'correct horse battery' })
  @Optional()
  @Text({ max: MAX_PASSWORD, blank: true })
  password?: string;

  @ApiProperty({ format: 'uuid', description: 'One of the `organisations` of an answer without a session' })
  @Optional()
  @Id()
  organisation_id?: string;

  @ApiProperty({
    example: 'l8LrVhyHhXJ0hSD5jFyHIOtTPKgjVqXmXYcrPO4L3kI',
    description: 'The part of a sign-in link behind `#`, instead of the other fields',
  })
  @Optional()
  @Text({ max: MAX_LINK })
  link?: string;
}

/** Body of `POST /api/v1/session/password`. */
export class ChangePasswordRequest {
  @ApiProperty({
    example: 'correct horse battery',
    description: 'The password so far; not needed after a link, nor for the first one',
  })
  @Optional()
  @Text({ max: MAX_PASSWORD, blank: true })
  current?: string;

  @ApiProperty({
    example: 'seven quiet garden lamps',
    description: '12 to 128 characters, without your e-mail address, and not a common one',
  })
  @Text({ max: MAX_PASSWORD, blank: true })
  next: string;
}
