import { ApiProperty } from '@nestjs/swagger';
import { OneOf, Optional } from '../../http/field-rules.js';

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
