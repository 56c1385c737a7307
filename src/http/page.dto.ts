import { ApiProperty } from '@nestjs/swagger';
import type { Page } from '../values/page.js';
import { FromQueryNumber, Optional, Text, WholeNumber } from './field-rules.js';

/** Keeps the offset, page × limit, within safe integers. */
const MAX_PAGE = 1_000_000_000;

/** Query of a list: `page` from 1 and `limit`, 20 by default and at most 100. */
export class PageQuery implements Page {
  @ApiProperty({ default: 1 })
  @Optional()
  @FromQueryNumber()
  @WholeNumber(1, MAX_PAGE)
  page = 1;

  @ApiProperty({ default: 20 })
  @Optional()
  @FromQueryNumber()
  @WholeNumber(1, 100)
  limit = 20;
}

/** Query of a searchable list. An empty `search` lists everything. */
export class SearchQuery extends PageQuery {
  @ApiProperty({ description: 'An empty string lists everything' })
  @Optional()
  @Text({ max: 256, blank: true })
  search?: string;
}
