import { ApiProperty } from '@nestjs/swagger';

/** The first field of every answer but errors. */
export class SuccessResponse {
  @ApiProperty({ enum: ['success'] })
  status: 'success';
}

/** What every list has beside its rows. */
export class PagedResponse extends SuccessResponse {
  /** Rows in all, on whatever page. */
  @ApiProperty()
  total: number;

  @ApiProperty()
  page: number;

  @ApiProperty()
  limit: number;
}
