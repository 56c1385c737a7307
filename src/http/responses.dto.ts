import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Paged } from '../values/page.js';
import type { ListQuery, PageQuery } from './page.dto.js';

/** The first field of every successful response. */
export class SuccessResponse {
  @ApiProperty({ enum: ['success'] })
  status: 'success';
}

/** The fields of every list. */
export class ListResponse extends SuccessResponse {
  @ApiProperty({ type: 'integer', description: 'Matching rows on all pages' })
  total: number;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'Only with `cursor`: the `cursor` of the next page; null on the last one',
    example: 'bTNKcTBmWHcyYjFBLjAxOWMxMzYzLTQ5YzAtNzY4MC05MmIzLTRkMzdkNTEyMGE3Zg',
  })
  next_cursor?: string | null;

  /** The fields for a page that {@link Paged} holds. */
  static walk({ total, next }: Paged<unknown>, { cursor }: ListQuery): Pick<ListResponse, 'total' | 'next_cursor'> {
    return cursor === undefined ? { total } : { total, next_cursor: cursor.next(next ?? null) };
  }
}

/** The paging fields of every list with pages. */
export class PagedResponse extends ListResponse {
  @ApiPropertyOptional({ type: 'integer', description: 'Absent with `cursor`' })
  page?: number;

  @ApiProperty({ type: 'integer' })
  limit: number;

  /** The paging fields of one page. */
  static paging(
    paged: Paged<unknown>,
    query: PageQuery,
  ): Pick<PagedResponse, 'total' | 'next_cursor' | 'page' | 'limit'> {
    const { page, limit, cursor } = query;
    return { ...ListResponse.walk(paged, query), ...(cursor === undefined ? { page } : {}), limit };
  }
}

/** The paging fields of a log, whose rows are counted up to 10,000. */
export class LogPageResponse extends PagedResponse {
  @ApiProperty({ type: 'integer', description: 'Matching rows on all pages, at most 10,000' })
  declare total: number;

  @ApiPropertyOptional({ enum: [true], description: 'Present if more rows may match than `total` says' })
  total_is_capped?: true;

  /** The paging fields of one page of a log. */
  static override paging(
    paged: Paged<unknown>,
    query: PageQuery,
  ): Pick<LogPageResponse, 'total' | 'total_is_capped' | 'next_cursor' | 'page' | 'limit'> {
    const fields = PagedResponse.paging(paged, query);
    return paged.totalIsCapped === true ? { ...fields, total_is_capped: true } : fields;
  }
}
