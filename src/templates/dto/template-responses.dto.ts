import { ApiProperty } from '@nestjs/swagger';
import type { ListQuery } from '../../http/page.dto.js';
import { ListResponse, SuccessResponse } from '../../http/responses.dto.js';
import type { Paged } from '../../values/page.js';
import type { CreatedTemplate } from '../authoring/template-creation.service.js';
import type { SyncOutcome } from '../sync/template-sync.service.js';
import type { Template } from '../template.entity.js';
import { TemplateRecord } from './template-record.dto.js';

/** Response of `GET /api/v1/templates`. */
export class TemplateListResponse extends ListResponse {
  @ApiProperty({ type: [TemplateRecord] })
  templates: TemplateRecord[];

  static from(paged: Paged<Template>, query: ListQuery): TemplateListResponse {
    return { status: 'success', templates: paged.rows.map(TemplateRecord.from), ...ListResponse.walk(paged, query) };
  }
}

/** Response with one template. */
export class TemplateResponse extends SuccessResponse {
  @ApiProperty({ type: TemplateRecord })
  template: TemplateRecord;

  static from(template: Template): TemplateResponse {
    return { status: 'success', template: TemplateRecord.from(template) };
  }
}

/** Response to the creation of a template or carousel. */
export class CreateTemplateResponse extends SuccessResponse {
  @ApiProperty()
  message: string;

  @ApiProperty({ format: 'uuid' })
  template_id: string;

  @ApiProperty({ description: 'The network’s id' })
  meta_template_id: string;

  @ApiProperty({ description: 'The network’s initial status, usually PENDING' })
  meta_status: string;

  static from({ templateId, metaTemplateId, metaStatus }: CreatedTemplate): CreateTemplateResponse {
    return {
      status: 'success',
      message: 'Template created and submitted for review',
      template_id: templateId,
      meta_template_id: metaTemplateId,
      meta_status: metaStatus,
    };
  }
}

/** Response of `DELETE /api/v1/templates/{template_id}`. */
export class DeleteTemplateResponse extends SuccessResponse {
  @ApiProperty()
  message: string;

  @ApiProperty({ format: 'uuid' })
  template_id: string;

  static from(templateId: string): DeleteTemplateResponse {
    return { status: 'success', message: 'Template deleted', template_id: templateId };
  }
}

/** The counts of a sync. */
export class SyncSummaryRecord {
  @ApiProperty({ type: 'integer', description: 'Templates on the network' })
  total_meta_templates: number;

  @ApiProperty({ type: 'integer', description: 'created + updated + skipped' })
  synced: number;

  @ApiProperty({ type: 'integer' })
  created: number;

  @ApiProperty({ type: 'integer' })
  updated: number;

  @ApiProperty({ type: 'integer', description: 'Unchanged' })
  skipped: number;

  @ApiProperty({ type: 'integer' })
  deleted: number;
}

/** Response of `POST /api/v1/templates/sync`. */
export class SyncTemplatesResponse extends SuccessResponse {
  @ApiProperty({ description: 'Names each business account that could not be read, and why' })
  message: string;

  @ApiProperty({ type: SyncSummaryRecord })
  summary: SyncSummaryRecord;

  static from({ summary, failures }: SyncOutcome): SyncTemplatesResponse {
    const { total, created, updated, skipped, deleted } = summary;
    const failed = failures.map(({ wabaId, reason }) => `business account ${wabaId}: ${reason}`);
    return {
      status: 'success',
      message: ['Templates synchronised', ...failed].join('; '),
      summary: {
        total_meta_templates: total,
        synced: created + updated + skipped,
        created,
        updated,
        skipped,
        deleted,
      },
    };
  }
}
