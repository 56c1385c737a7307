import { ApiProperty } from '@nestjs/swagger';
import { MayBeAbsent, orNull } from '../../contacts/dto/contact-fields.js';
import { IdList, Optional, Text, TextList } from '../../http/field-rules.js';
import { GROUP_LIMITS } from '../group-limits.js';
import type { GroupChanges, NewGroup } from '../groups.queries.js';

/** Request body of create group. */
export class CreateGroupRequest {
  @ApiProperty({ description: 'Unique within the account' })
  @Text({ max: GROUP_LIMITS.name })
  name: string;

  @Optional()
  @Text({ max: GROUP_LIMITS.description, blank: true })
  description?: string | null;

  @Optional()
  @TextList(GROUP_LIMITS.tags, GROUP_LIMITS.tag)
  tags?: string[] | null;

  @ApiProperty({ description: 'Contacts to add immediately' })
  @Optional()
  @IdList(0, GROUP_LIMITS.contactIds)
  contact_ids?: string[] | null;

  toGroup(): NewGroup {
    return { name: this.name, description: orNull(this.description), tags: this.tags ?? [] };
  }
}

/** Request body of change group: absent fields stay unchanged; null or an empty string clears an optional field. */
export class UpdateGroupRequest {
  @MayBeAbsent()
  @Text({ max: GROUP_LIMITS.name })
  name?: string;

  @Optional()
  @Text({ max: GROUP_LIMITS.description, blank: true })
  description?: string | null;

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
  @IdList(1, GROUP_LIMITS.contactIds)
  contact_ids: string[];
}
