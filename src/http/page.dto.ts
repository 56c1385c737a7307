import { ApiPropertyOptional } from '@nestjs/swagger';
import type { Page } from '../values/page.js';
import { FromQueryNumber, Optional, Text, WholeNumber } from './field-rules.js';

/** Pages start at 1; more than this many could not be reached with whole numbers. */
const LAST_PAGE = 1_000_000_000;

/** Query of a list: `page` and `limit`, 20 unless said otherwise and at most 100. */
export class PageQuery implements Page {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, default: 1 })
  @Optional()
  @FromQueryNumber()
  @WholeNumber(1, LAST_PAGE)
  page = 1;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 100, default: 20 })
  @Optional()
  @FromQueryNumber()
  @WholeNumber(1, 100)
  limit = 20;
}

/** Query of a list that can be searched; an empty `search` lists all. */
export class SearchQuery extends PageQuery {
  @ApiPropertyOptional({ maxLength: 256, description: 'An empty one lists all' })
  @Optional()
  @Text({ max: 256, blank: true })
  search?: string;
}
