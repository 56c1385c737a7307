import { ApiProperty } from '@nestjs/swagger';
import { FromQueryNumber, OneOf, Optional, Text, WholeNumber } from '../../http/field-rules.js';
import { CATEGORIES, STATUSES, type TemplateCategory, type TemplateStatus } from '../template.js';
import type { TemplateFilter } from '../template.queries.js';

/** Query of `GET /api/v1/templates`. */
export class TemplatesQuery {
  @Optional()
  @OneOf(STATUSES)
  status?: TemplateStatus;

  @Optional()
  @OneOf(CATEGORIES)
  category?: TemplateCategory;

  @ApiProperty({ example: 'en_US' })
  @Optional()
  @Text({ max: 32, blank: true })
  language?: string;

  @ApiProperty({ description: 'Any part of the name' })
  @Optional()
  @Text({ max: 512, blank: true })
  search?: string;

  @ApiProperty({ default: 1 })
  @Optional()
  @FromQueryNumber()
  @WholeNumber(1, 1_000_000_000)
  page = 1;

  @ApiProperty({ description: 'Default: all templates' })
  @Optional()
  @FromQueryNumber()
  @WholeNumber(1, 100)
  limit?: number;

  toFilter(): TemplateFilter {
    return {
      status: this.status ?? null,
      category: this.category ?? null,
      language: this.language || null,
      search: this.search || null,
      page: this.page,
      limit: this.limit ?? null,
    };
  }
}
