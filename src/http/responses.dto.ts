import { ApiProperty } from '@nestjs/swagger';

/** The first field of every successful response. */
export class SuccessResponse {
  @ApiProperty({ enum: ['success'] })
  status: 'success';
}

/** The paging fields of every list. */
export class PagedResponse extends SuccessResponse {
  /** Number of rows on all pages. */
  @ApiProperty()
  total: number;

  @ApiProperty()
  page: number;

  @ApiProperty()
  limit: number;
}
