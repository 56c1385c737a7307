import { ApiProperty } from '@nestjs/swagger';
import { FromQueryNumber, OneOf, Optional, Text, WholeNumber } from '../../http/field-rules.js';
import { ListQuery, MAX_PAGE_SIZE } from '../../http/page.dto.js';
import {
  CATEGORIES,
  MAX_LANGUAGE_SOUGHT,
  MAX_TEMPLATE_NAME,
  STATUSES,
  type TemplateCategory,
  type TemplateStatus,
} from '../template.js';
import type { TemplateFilter } from '../template.queries.js';

/** Query of `GET /api/v1/templates`. */
export class TemplatesQuery extends ListQuery {
  @Optional()
  @OneOf(STATUSES)
  status?: TemplateStatus;

  @Optional()
  @OneOf(CATEGORIES)
  category?: TemplateCategory;

  @ApiProperty({ example: 'en_US' })
  @Optional()
  @Text({ max: MAX_LANGUAGE_SOUGHT, blank: true })
  language?: string;

  @ApiProperty({ description: 'Any part of the name, in any case' })
  @Optional()
  @Text({ max: MAX_TEMPLATE_NAME, blank: true })
  search?: string;

  @ApiProperty({ description: 'Default: all templates' })
  @Optional()
  @FromQueryNumber()
  @WholeNumber(1, MAX_PAGE_SIZE)
  limit?: number;

  toFilter(): TemplateFilter {
    return {
      status: this.status ?? null,
      category: this.category ?? null,
      language: this.language || null,
      search: this.search || null,
      page: this.page,
      limit: this.limit ?? null,
      cursor: this.cursor,
    };
  }
}
