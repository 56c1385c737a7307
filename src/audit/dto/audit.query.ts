import { ApiPropertyOptional } from '@nestjs/swagger';
import { Id, Iso8601, OneOf, Optional } from '../../http/field-rules.js';
import { PageQuery } from '../../http/page.dto.js';
import { instantOf } from '../../values/local-time.js';
import { AUDIT_ACTIONS, type AuditAction } from '../audit-action.js';
import type { AuditFilter } from '../audit-entry.queries.js';

/** Query of `GET /api/v1/audit/`. */
export class AuditQuery extends PageQuery {
  @ApiPropertyOptional({ enum: AUDIT_ACTIONS })
  @Optional()
  @OneOf(AUDIT_ACTIONS)
  action?: AuditAction;

  @ApiPropertyOptional({ format: 'uuid', description: 'Entries about this record' })
  @Optional()
  @Id()
  subject_id?: string;

  @ApiPropertyOptional({
    description: 'Entries from this time on. UTC unless it has an offset',
    example: '2026-01-31T09:30:00Z',
  })
  @Optional()
  @Iso8601()
  since?: string;

  @ApiPropertyOptional({
    description: 'Entries before this time. UTC unless it has an offset',
    example: '2026-02-28T09:30:00Z',
  })
  @Optional()
  @Iso8601()
  until?: string;

  filter(): AuditFilter {
    return {
      ...(this.action && { action: this.action }),
      ...(this.subject_id && { subjectId: this.subject_id }),
      ...(this.since && { since: instantOf(this.since) }),
      ...(this.until && { until: instantOf(this.until) }),
    };
  }
}
