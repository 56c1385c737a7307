import { ApiProperty } from '@nestjs/swagger';
import { blankToNull } from '../../contacts/dto/contact-fields.js';
import { Id, MayBeAbsent, Optional, Text } from '../../http/field-rules.js';
import { IdList, TextList } from '../../http/list-rules.js';
import { SearchQuery } from '../../http/page.dto.js';
import type { GroupChanges, NewGroup } from '../groups.queries.js';

/** Maximum lengths of a group's fields, in Unicode code points, and of its lists. */
const GROUP_LIMITS = {
  name: 256,
  description: 1024,
  tag: 64,
  /** Tags of one group. */
  tags: 100,
  /** Contacts in one request. */
  contactIds: 10_000,
} as const;

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
    return { name: this.name, description: blankToNull(this.description), tags: this.tags ?? [] };
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
      description: this.description === undefined ? undefined : blankToNull(this.description),
      tags: this.tags === undefined ? undefined : (this.tags ?? []),
    };
  }
}

/** Query of a list of groups. */
export class GroupsQuery extends SearchQuery {
  @ApiProperty({ description: 'Only groups with this contact' })
  @Optional()
  @Id()
  contact_id?: string;
}

/** Request body for adding contacts to a group or removing them. */
export class GroupMembersRequest {
  @IdList(1, GROUP_LIMITS.contactIds)
  contact_ids: string[];
}
