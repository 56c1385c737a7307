import { ApiProperty } from '@nestjs/swagger';

/** What every answer that is no error says first (SPEC, Endpoints). */
export class SuccessResponse {
  @ApiProperty({ enum: ['success'] })
  status: 'success';
}

/** What every list says beside its rows (D8). */
export class PagedResponse extends SuccessResponse {
  /** Rows in all, on whatever page. */
  @ApiProperty()
  total: number;

  @ApiProperty()
  page: number;

  @ApiProperty()
  limit: number;
}
