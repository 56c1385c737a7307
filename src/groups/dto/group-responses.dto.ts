import { ApiProperty } from '@nestjs/swagger';
import type { PageQuery } from '../../http/page.dto.js';
import { PagedResponse, SuccessResponse } from '../../http/responses.dto.js';
import type { Paged } from '../../values/page.js';
import type { RecordId } from '../../values/record-id.js';
import type { GroupRow } from '../groups.queries.js';
import { GroupRecord } from './group.dto.js';

/** Response with one group. */
export class GroupFoundResponse extends SuccessResponse {
  @ApiProperty({ type: GroupRecord })
  group: GroupRecord;

  static from(row: GroupRow): GroupFoundResponse {
    return { status: 'success', group: GroupRecord.from(row) };
  }
}

/** Response to an action on one group. */
export class GroupResponse extends SuccessResponse {
  @ApiProperty()
  message: string;

  @ApiProperty({ type: GroupRecord })
  group: GroupRecord;

  static from(row: GroupRow, message: string): GroupResponse {
    return { status: 'success', message, group: GroupRecord.from(row) };
  }
}

/** A page of groups. */
export class GroupsResponse extends PagedResponse {
  @ApiProperty({ type: [GroupRecord] })
  groups: GroupRecord[];

  static from(paged: Paged<GroupRow>, query: PageQuery): GroupsResponse {
    return {
      status: 'success',
      groups: paged.rows.map((row) => GroupRecord.from(row)),
      ...PagedResponse.paging(paged, query),
    };
  }
}

/** Response to a deletion. */
export class GroupDeletedResponse extends SuccessResponse {
  @ApiProperty()
  message: string;

  @ApiProperty({ format: 'uuid' })
  group_id: string;

  static from(id: RecordId): GroupDeletedResponse {
    return { status: 'success', message: 'Group deleted', group_id: id };
  }
}

/** Response to adding or removing contacts. */
export class GroupMembersResponse extends SuccessResponse {
  @ApiProperty()
  message: string;

  @ApiProperty({ format: 'uuid' })
  group_id: string;

  @ApiProperty({ type: [String], description: 'The distinct contacts in the request' })
  contact_ids: string[];

  static from(groupId: RecordId, contactIds: RecordId[], message: string): GroupMembersResponse {
    return { status: 'success', message, group_id: groupId, contact_ids: contactIds };
  }
}
