import { ApiPropertyOptional } from '@nestjs/swagger';
import { Id, OneOf, Optional } from '../../http/field-rules.js';
import { LogQuery } from '../../http/log-query.dto.js';
import { AUDIT_ACTIONS, type AuditAction } from '../audit-action.js';
import type { AuditFilter } from '../audit-entry.queries.js';

/** Query of `GET /api/v1/audit/`. */
export class AuditQuery extends LogQuery {
  @ApiPropertyOptional({ enum: AUDIT_ACTIONS })
  @Optional()
  @OneOf(AUDIT_ACTIONS)
  action?: AuditAction;

  @ApiPropertyOptional({ format: 'uuid', description: 'Entries about this record' })
  @Optional()
  @Id()
  subject_id?: string;

  filter(): AuditFilter {
    return {
      ...(this.action && { action: this.action }),
      ...(this.subject_id && { subjectId: this.subject_id }),
      ...this.toRange(),
    };
  }
}
