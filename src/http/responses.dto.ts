import { ApiProperty } from '@nestjs/swagger';

/** The first field of every successful response. */
export class SuccessResponse {
  @ApiProperty({ enum: ['success'] })
  status: 'success';
}

/** The paging fields of every list. */
export class PagedResponse extends SuccessResponse {
  @ApiProperty({ type: 'integer', description: 'Matching rows on all pages' })
  total: number;

  @ApiProperty({ type: 'integer' })
  page: number;

  @ApiProperty({ type: 'integer' })
  limit: number;
}
