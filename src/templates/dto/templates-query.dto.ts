import { ApiProperty } from '@nestjs/swagger';
import { FromQueryNumber, OneOf, Optional, shown, Text, WholeNumber } from '../../http/field-rules.js';
import { ListQuery, MAX_PAGE_SIZE } from '../../http/page.dto.js';
import { rule } from '../../http/request-fields.js';
import {
  CATEGORIES,
  LANGUAGE,
  LANGUAGE_FORM,
  MAX_LANGUAGE_SOUGHT,
  MAX_TEMPLATE_NAME,
  STATUSES,
  type TemplateCategory,
  type TemplateStatus,
} from '../template.js';
import type { TemplateFilter } from '../template.queries.js';

/** A language in the spelling that templates have; another one would find none. An empty one finds all. */
const LanguageSought = (): PropertyDecorator =>
  rule<string>(
    {},
    {
      wrong: () => null,
      beyond: (path, value) => {
        if (value.trim() === '' || LANGUAGE.test(value)) return null;
        const [language = '', region] = value.trim().split(/[-_ ]/);
        const spelled = language.toLowerCase() + (region === undefined ? '' : `_${region.toUpperCase()}`);
        const message = `${path} must ${LANGUAGE_FORM} (got ${shown(value)})`;
        return LANGUAGE.test(spelled) ? `${message}. Did you mean ${JSON.stringify(spelled)}?` : message;
      },
    },
  );

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
  @LanguageSought()
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
      language: this.language?.trim() || null,
      search: this.search || null,
      page: this.page,
      limit: this.limit ?? null,
      cursor: this.cursor,
    };
  }
}
