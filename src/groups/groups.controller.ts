import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequiresScope } from '../auth/scopes.js';
import { ContactsResponse } from '../contacts/dto/contact-responses.dto.js';
import { PageQuery } from '../http/page.dto.js';
import { RecordIdPipe } from '../http/record-id.pipe.js';
import { Idempotent } from '../idempotency/idempotent.decorator.js';
import type { RecordId } from '../values/record-id.js';
import { CreateGroupRequest, GroupMembersRequest, GroupsQuery, UpdateGroupRequest } from './dto/group-requests.dto.js';
import {
  GroupDeletedResponse,
  GroupFoundResponse,
  GroupMembersResponse,
  GroupResponse,
  GroupsResponse,
} from './dto/group-responses.dto.js';
import { GroupsService } from './groups.service.js';

/** HTTP routes for contact groups. */
@ApiTags('groups')
@Controller('api/v1/groups')
export class GroupsController {
  constructor(private readonly groups: GroupsService) {}

  @Get()
  @RequiresScope('groups:read')
  @ApiOperation({ summary: 'List groups', description: '`search` matches any part of the name.' })
  @ApiOkResponse({ type: GroupsResponse })
  async list(@CurrentCaller() { accountId }: Caller, @Query() query: GroupsQuery): Promise<GroupsResponse> {
    const { search, contact_id } = query;
    return GroupsResponse.from(await this.groups.list(accountId, query, search, contact_id ?? null), query);
  }

  @Post()
  @Idempotent({ recover: 'created' })
  @RequiresScope('groups:write')
  @ApiOperation({ summary: 'Create group' })
  @ApiCreatedResponse({ type: GroupResponse })
  @ApiNotFoundResponse({ description: 'Some `contact_ids` are unknown; the message names them' })
  @ApiConflictResponse({ description: 'A group with this name exists' })
  async create(@CurrentCaller() { accountId }: Caller, @Body() body: CreateGroupRequest): Promise<GroupResponse> {
    const group = await this.groups.create(accountId, body.toGroup(), body.contact_ids ?? []);
    return GroupResponse.from(group, 'Group created');
  }

  async created(id: RecordId, { accountId }: Caller): Promise<GroupResponse> {
    return GroupResponse.from(await this.groups.get(accountId, id), 'Group created');
  }

  @Get(':group_id')
  @RequiresScope('groups:read')
  @ApiOperation({ summary: 'Get group' })
  @ApiOkResponse({ type: GroupFoundResponse })
  @ApiNotFoundResponse()
  async get(
    @CurrentCaller() { accountId }: Caller,
    @Param('group_id', RecordIdPipe) id: string,
  ): Promise<GroupFoundResponse> {
    return GroupFoundResponse.from(await this.groups.get(accountId, id));
  }

  @Patch(':group_id')
  @RequiresScope('groups:write')
  @ApiOperation({
    summary: 'Change group',
    description: 'Absent fields stay unchanged; null clears an optional field.',
  })
  @ApiOkResponse({ type: GroupResponse })
  @ApiNotFoundResponse()
  @ApiConflictResponse({ description: 'Another group has this name' })
  async change(
    @CurrentCaller() { accountId }: Caller,
    @Param('group_id', RecordIdPipe) id: string,
    @Body() body: UpdateGroupRequest,
  ): Promise<GroupResponse> {
    return GroupResponse.from(await this.groups.change(accountId, id, body.toChanges()), 'Group changed');
  }

  @Delete(':group_id')
  @RequiresScope('groups:write')
  @ApiOperation({ summary: 'Delete group', description: 'The contacts are kept.' })
  @ApiOkResponse({ type: GroupDeletedResponse })
  @ApiNotFoundResponse()
  async delete(
    @CurrentCaller() { accountId }: Caller,
    @Param('group_id', RecordIdPipe) id: string,
  ): Promise<GroupDeletedResponse> {
    await this.groups.delete(accountId, id);
    return GroupDeletedResponse.from(id);
  }

  @Get(':group_id/contacts')
  @RequiresScope('groups:read')
  @ApiOperation({ summary: 'List the contacts of a group', description: 'The contacts added last come first.' })
  @ApiOkResponse({ type: ContactsResponse })
  @ApiNotFoundResponse()
  async listContacts(
    @CurrentCaller() { accountId }: Caller,
    @Param('group_id', RecordIdPipe) id: string,
    @Query() query: PageQuery,
  ): Promise<ContactsResponse> {
    return ContactsResponse.from(await this.groups.members(accountId, id, query), query);
  }

  @Post(':group_id/contacts')
  @Idempotent({ rerunIsSafe: 'contacts already in the group are skipped' })
  @HttpCode(200)
  @RequiresScope('groups:write')
  @ApiOperation({ summary: 'Add contacts to group', description: 'Contacts already in the group are skipped.' })
  @ApiOkResponse({ type: GroupMembersResponse })
  @ApiNotFoundResponse({ description: 'The group or some contacts are unknown; the message names them' })
  async addContacts(
    @CurrentCaller() { accountId }: Caller,
    @Param('group_id', RecordIdPipe) id: string,
    @Body() body: GroupMembersRequest,
  ): Promise<GroupMembersResponse> {
    const contactIds = await this.groups.add(accountId, id, body.contact_ids);
    return GroupMembersResponse.from(id, contactIds, 'Contacts added to the group');
  }

  @Delete(':group_id/contacts')
  @RequiresScope('groups:write')
  @ApiOperation({
    summary: 'Remove contacts from group',
    description: 'The contacts themselves are kept. Deleted contacts are skipped.',
  })
  @ApiOkResponse({ type: GroupMembersResponse })
  @ApiNotFoundResponse({ description: 'The group or some contacts are unknown; the message names them' })
  async removeContacts(
    @CurrentCaller() { accountId }: Caller,
    @Param('group_id', RecordIdPipe) id: string,
    @Body() body: GroupMembersRequest,
  ): Promise<GroupMembersResponse> {
    const contactIds = await this.groups.remove(accountId, id, body.contact_ids);
    return GroupMembersResponse.from(id, contactIds, 'Contacts removed from the group');
  }
}
