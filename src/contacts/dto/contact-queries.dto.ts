import { ApiProperty } from '@nestjs/swagger';
import { OneOf, Optional } from '../../http/field-rules.js';
import { DefaultCountry } from '../../people/default-country.field.js';

/** Query of delete contact. */
export class DeleteContactQuery {
  @ApiProperty({
    default: 'false',
    description: 'true erases everything that identifies the person, in all records. Works on deleted contacts too',
  })
  @Optional()
  @OneOf(['true', 'false'])
  erase?: 'true' | 'false';
}

/** Query of an import. */
export class ImportContactsQuery {
  @Optional()
  @DefaultCountry()
  default_country?: string;
}
