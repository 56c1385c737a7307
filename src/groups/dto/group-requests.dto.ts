import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MayBeAbsent, orNull } from '../../contacts/dto/contact-fields.js';
import { IdList, Optional, Text, TextList } from '../../http/field-rules.js';
import { GROUP_LIMITS } from '../group-limits.js';
import type { GroupChanges, NewGroup } from '../groups.queries.js';

/** Request body of create group. */
export class CreateGroupRequest {
  @ApiProperty({ maxLength: GROUP_LIMITS.name, description: 'Unique within the account' })
  @Text({ max: GROUP_LIMITS.name })
  name: string;

  @ApiPropertyOptional({ maxLength: GROUP_LIMITS.description })
  @Optional()
  @Text({ max: GROUP_LIMITS.description, blank: true })
  description?: string | null;

  @ApiPropertyOptional({ type: [String], maxItems: GROUP_LIMITS.tags })
  @Optional()
  @TextList(GROUP_LIMITS.tags, GROUP_LIMITS.tag)
  tags?: string[] | null;

  @ApiPropertyOptional({
    type: [String],
    maxItems: GROUP_LIMITS.contactIds,
    description: 'Contacts to add immediately',
  })
  @Optional()
  @IdList(0, GROUP_LIMITS.contactIds)
  contact_ids?: string[] | null;

  toGroup(): NewGroup {
    return { name: this.name, description: orNull(this.description), tags: this.tags ?? [] };
  }
}

/** Request body of change group: absent fields stay unchanged; null or an empty string clears an optional field. */
export class UpdateGroupRequest {
  @ApiPropertyOptional({ maxLength: GROUP_LIMITS.name })
  @MayBeAbsent()
  @Text({ max: GROUP_LIMITS.name })
  name?: string;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: GROUP_LIMITS.description })
  @Optional()
  @Text({ max: GROUP_LIMITS.description, blank: true })
  description?: string | null;

  @ApiPropertyOptional({ type: [String], nullable: true, maxItems: GROUP_LIMITS.tags })
  @Optional()
  @TextList(GROUP_LIMITS.tags, GROUP_LIMITS.tag)
  tags?: string[] | null;

  toChanges(): GroupChanges {
    return {
      name: this.name,
      description: this.description === undefined ? undefined : orNull(this.description),
      tags: this.tags === undefined ? undefined : (this.tags ?? []),
    };
  }
}

/** Request body for adding contacts to a group or removing them. */
export class GroupMembersRequest {
  @ApiProperty({ type: [String], minItems: 1, maxItems: GROUP_LIMITS.contactIds })
  @IdList(1, GROUP_LIMITS.contactIds)
  contact_ids: string[];
}
