import { ApiProperty } from '@nestjs/swagger';
import type { Page } from '../values/page.js';
import { Anything, FromQueryNumber, Optional, Text, WholeNumber } from './field-rules.js';
import type { ListCursor } from './list-cursor.js';

/** Keeps the offset, page × limit, within safe integers. */
const MAX_PAGE = 1_000_000_000;
/** Characters of a search. */
const MAX_SEARCH = 256;
/** Rows on a page. */
export const MAX_PAGE_SIZE = 100;

/** Query of a list: `page` from 1, or `cursor`. */
export class ListQuery {
  @ApiProperty({ default: 1 })
  @Optional()
  @FromQueryNumber()
  @WholeNumber(1, MAX_PAGE)
  page = 1;

  @ApiProperty({
    description:
      'Walks the list instead of counting its pages: empty for the first page, then the `next_cursor` of the page ' +
      'before. What is created or deleted meanwhile moves nothing. Not together with `page`',
    example: '',
  })
  // The interceptor has read it before the fields are validated.
  @Anything({ type: String, required: false })
  cursor?: ListCursor;
}

/** Query of a list with `limit`, 20 by default and at most 100. */
export class PageQuery extends ListQuery implements Page {
  @ApiProperty({ default: 20 })
  @Optional()
  @FromQueryNumber()
  @WholeNumber(1, MAX_PAGE_SIZE)
  limit = 20;
}

/** Query of a searchable list. A blank `search` lists everything. */
export class SearchQuery extends PageQuery {
  @ApiProperty({
    description:
      'Any part of a text. Case, accents and how many blanks there are make no difference. Nothing but blanks lists everything',
  })
  @Optional()
  @Text({ max: MAX_SEARCH, blank: true })
  search?: string;
}
