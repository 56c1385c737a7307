import { ApiPropertyOptional } from '@nestjs/swagger';
import { OneOf, Optional } from '../../http/field-rules.js';

/** How a contact is deleted. */
export class DeleteContactQuery {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    default: 'false',
    description: 'true: nothing that identifies the person stays, here or anywhere else. Works on deleted contacts too',
  })
  @Optional()
  @OneOf(['true', 'false'])
  erase?: 'true' | 'false';
}
