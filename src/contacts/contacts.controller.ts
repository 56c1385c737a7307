import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
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
import { SearchQuery } from '../http/page.dto.js';
import { RecordIdPipe } from '../http/record-id.pipe.js';
import { Idempotent } from '../idempotency/idempotent.decorator.js';
import type { RecordId } from '../values/record-id.js';
import { ContactsService } from './contacts.service.js';
import { ContactDeletedResponse, ContactResponse, ContactsResponse } from './dto/contact-responses.dto.js';
import { CreateContactRequest } from './dto/create-contact.dto.js';
import { DeleteContactQuery } from './dto/delete-contact-query.dto.js';
import { UpdateContactRequest } from './dto/update-contact.dto.js';
import { ContactErasureService } from './erasure/contact-erasure.service.js';

/** HTTP routes for contacts. */
@ApiTags('contacts')
@Controller('api/v1/contacts')
export class ContactsController {
  constructor(
    private readonly contacts: ContactsService,
    private readonly erasures: ContactErasureService,
  ) {}

  @Get()
  @RequiresScope('contacts:read')
  @ApiOperation({ summary: 'List contacts', description: '`search` matches name, phone or email by substring.' })
  @ApiOkResponse({ type: ContactsResponse })
  async list(@CurrentCaller() { accountId }: Caller, @Query() query: SearchQuery): Promise<ContactsResponse> {
    return ContactsResponse.from(await this.contacts.list(accountId, query, query.search), query);
  }

  @Post()
  @Idempotent({ recover: 'created' })
  @RequiresScope('contacts:write')
  @ApiOperation({
    summary: 'Create contact',
    description: 'Restores the deleted contact that has this number, if there is one.',
  })
  @ApiCreatedResponse({ type: ContactResponse })
  @ApiConflictResponse({ description: 'A contact with this number exists; the message names it' })
  async create(@CurrentCaller() { accountId }: Caller, @Body() body: CreateContactRequest): Promise<ContactResponse> {
    return ContactResponse.from(await this.contacts.create(accountId, body.toContact()), 'Contact created');
  }

  async created(id: RecordId, { accountId }: Caller): Promise<ContactResponse> {
    return ContactResponse.from(await this.contacts.get(accountId, id), 'Contact created');
  }

  @Get(':contact_id')
  @RequiresScope('contacts:read')
  @ApiOperation({ summary: 'Get contact' })
  @ApiOkResponse({ type: ContactResponse })
  @ApiNotFoundResponse()
  async get(
    @CurrentCaller() { accountId }: Caller,
    @Param('contact_id', RecordIdPipe) id: string,
  ): Promise<ContactResponse> {
    return ContactResponse.from(await this.contacts.get(accountId, id), 'Contact found');
  }

  @Patch(':contact_id')
  @RequiresScope('contacts:write')
  @ApiOperation({
    summary: 'Change contact',
    description: 'Absent fields stay unchanged; null clears an optional field.',
  })
  @ApiOkResponse({ type: ContactResponse })
  @ApiNotFoundResponse()
  @ApiConflictResponse({ description: 'Another contact has this number; the message names it' })
  async change(
    @CurrentCaller() { accountId }: Caller,
    @Param('contact_id', RecordIdPipe) id: string,
    @Body() body: UpdateContactRequest,
  ): Promise<ContactResponse> {
    return ContactResponse.from(await this.contacts.change(accountId, id, body.toChanges()), 'Contact changed');
  }

  @Delete(':contact_id')
  @RequiresScope('contacts:write')
  @ApiOperation({
    summary: 'Delete contact',
    description:
      'Deactivates the contact and keeps its data. With `erase=true`, its name, number, email, company and the ' +
      'contents of all its messages are hidden immediately and removed from every table within 15 minutes. Counts ' +
      'and opt-outs stay.',
  })
  @ApiOkResponse({ type: ContactDeletedResponse })
  @ApiNotFoundResponse()
  async delete(
    @CurrentCaller() { accountId }: Caller,
    @Param('contact_id', RecordIdPipe) id: string,
    @Query() { erase }: DeleteContactQuery,
  ): Promise<ContactDeletedResponse> {
    if (erase === 'true') {
      await this.erasures.erase(accountId, id);
      return ContactDeletedResponse.from(id, 'Contact erased');
    }
    await this.contacts.delete(accountId, id);
    return ContactDeletedResponse.from(id, 'Contact deleted');
  }
}
