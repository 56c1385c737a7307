import { ApiProperty } from '@nestjs/swagger';
import type { Page } from '../values/page.js';
import { FromQueryNumber, Optional, Text, WholeNumber } from './field-rules.js';

/** Pages start at 1; more than this many could not be reached with whole numbers. */
const LAST_PAGE = 1_000_000_000;

/** Query of a list: `page` and `limit`, 20 unless said otherwise and at most 100. */
export class PageQuery implements Page {
  @ApiProperty({ default: 1 })
  @Optional()
  @FromQueryNumber()
  @WholeNumber(1, LAST_PAGE)
  page = 1;

  @ApiProperty({ default: 20 })
  @Optional()
  @FromQueryNumber()
  @WholeNumber(1, 100)
  limit = 20;
}

/** Query of a list that can be searched; an empty `search` lists all. */
export class SearchQuery extends PageQuery {
  @ApiProperty({ description: 'An empty one lists all' })
  @Optional()
  @Text({ max: 256, blank: true })
  search?: string;
}
