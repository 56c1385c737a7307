import { ApiProperty } from '@nestjs/swagger';
import type { PageQuery } from '../../http/page.dto.js';
import { LogPageResponse } from '../../http/responses.dto.js';
import type { Paged } from '../../values/page.js';
import { timeOfRecordId } from '../../values/record-id.js';
import { ACTOR_KINDS, type ActorKind } from '../actor.js';
import { AUDIT_ACTIONS, type AuditAction, SUBJECT_TYPES, type SubjectType } from '../audit-action.js';
import type { AuditChanges, AuditEntry } from '../audit-entry.entity.js';

/** One change and who made it. */
export class AuditRecord {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ format: 'date-time' }) at: string;
  @ApiProperty({
    enum: ACTOR_KINDS,
    description: 'user: a person who has signed in; cli: an operator of the service; system: the service itself',
  })
  actor: ActorKind;
  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Null unless the actor is an API key' })
  api_key_id: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'The name that the API key had at the time' })
  api_key_name: string | null;
  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Null unless the actor is a user' })
  user_id: string | null;
  @ApiProperty({ type: String, nullable: true, example: null, description: 'The name that the user had at the time' })
  user_name: string | null;
  @ApiProperty({ enum: AUDIT_ACTIONS }) action: AuditAction;
  @ApiProperty({ enum: SUBJECT_TYPES }) subject_type: SubjectType;
  @ApiProperty({ format: 'uuid' }) subject_id: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'What changed, without secrets and personal data',
    example: { retry_count: 5, secret: 'replaced' },
  })
  changes: AuditChanges;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The `X-Request-Id` of the answer; null when no request made the change',
  })
  request_id: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'The IP address of the caller', example: '192.0.2.7' })
  address: string | null;

  static from(entry: AuditEntry): AuditRecord {
    return {
      id: entry.id,
      at: timeOfRecordId(entry.id).toISOString(),
      actor: entry.actor,
      api_key_id: entry.apiKeyId,
      api_key_name: entry.apiKeyName,
      user_id: entry.userId,
      user_name: entry.userName,
      action: entry.action,
      subject_type: entry.subjectType,
      subject_id: entry.subjectId,
      changes: entry.changes,
      request_id: entry.requestId,
      address: entry.address,
    };
  }
}

/** One page of the audit log. */
export class AuditResponse extends LogPageResponse {
  @ApiProperty({ type: [AuditRecord] }) audit_entries: AuditRecord[];

  static from(paged: Paged<AuditEntry>, query: PageQuery): AuditResponse {
    return {
      status: 'success',
      audit_entries: paged.rows.map((entry) => AuditRecord.from(entry)),
      ...LogPageResponse.paging(paged, query),
    };
  }
}
