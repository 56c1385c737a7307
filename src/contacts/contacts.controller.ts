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
import { hasRole } from '../auth/roles.js';
import { RequiresRole, RequiresScope } from '../auth/scopes.js';
import { ConsentService } from '../consent/consent.service.js';
import { forbidden } from '../errors/domain-error.js';
import { PageQuery, SearchQuery } from '../http/page.dto.js';
import { RecordIdPipe } from '../http/record-id.pipe.js';
import { Idempotent } from '../idempotency/idempotent.decorator.js';
import type { RecordId } from '../values/record-id.js';
import { type AccountDecision, ContactsService } from './contacts.service.js';
import { ContactConsentResponse } from './dto/contact-consent.dto.js';
import { DeleteContactQuery } from './dto/contact-queries.dto.js';
import { ContactDeletedResponse, ContactResponse, ContactsResponse } from './dto/contact-responses.dto.js';
import { CreateContactRequest } from './dto/create-contact.dto.js';
import { UpdateContactRequest } from './dto/update-contact.dto.js';
import { ContactErasureService } from './erasure/contact-erasure.service.js';

const SEARCH =
  '`search` matches any part of the name (first and last), phone number, email, username or user id. Case, accents, invisible ' +
  'marks and the number of blanks make no difference: `muller` finds Müller. Nor does the punctuation of a number, or the 0 of ' +
  'a national one: `+49 151 777`, `(0151) 777` and `0049-151777` all find 4915177712345. Where numbers have two ' +
  'spellings, as 525512345678 and 5215512345678 in Mexico, both are found.';

/** HTTP routes for contacts. */
@ApiTags('contacts')
@Controller('api/v1/contacts')
export class ContactsController {
  constructor(
    private readonly contacts: ContactsService,
    private readonly erasures: ContactErasureService,
    private readonly consent: ConsentService,
  ) {}

  @Get()
  @RequiresScope('contacts:read')
  @ApiOperation({ summary: 'List contacts', description: SEARCH })
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
  async create(@CurrentCaller() caller: Caller, @Body() body: CreateContactRequest): Promise<ContactResponse> {
    return ContactResponse.from(
      await this.contacts.create(caller.accountId, body.toContact(), decisionOf(body.opted_in, caller)),
      'Contact created',
    );
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

  @Get(':contact_id/consent')
  @RequiresScope('contacts:read')
  @ApiOperation({
    summary: 'List the decisions behind opted_in',
    description:
      'Who opted the contact in or out, when, and the evidence. A decision that repeats the one in force adds nothing; ' +
      'nobody has decided about a contact without entries, and it is opted in.',
  })
  @ApiOkResponse({ type: ContactConsentResponse })
  @ApiNotFoundResponse()
  async consentOf(
    @CurrentCaller() { accountId }: Caller,
    @Param('contact_id', RecordIdPipe) id: string,
    @Query() query: PageQuery,
  ): Promise<ContactConsentResponse> {
    const contact = await this.contacts.get(accountId, id);
    return ContactConsentResponse.from(await this.consent.history(accountId, contact.id, query), query);
  }

  @Patch(':contact_id')
  @RequiresScope('contacts:write')
  @ApiOperation({
    summary: 'Change contact',
    description:
      'Absent fields stay unchanged; null clears an optional field. If a deleted contact has the new number, its ' +
      'history moves to this one.',
  })
  @ApiOkResponse({ type: ContactResponse })
  @ApiNotFoundResponse()
  @ApiConflictResponse({ description: 'Another contact has this number; the message names it' })
  async change(
    @CurrentCaller() caller: Caller,
    @Param('contact_id', RecordIdPipe) id: string,
    @Body() body: UpdateContactRequest,
  ): Promise<ContactResponse> {
    return ContactResponse.from(
      await this.contacts.change(caller.accountId, id, body.toChanges(), decisionOf(body.opted_in, caller)),
      'Contact changed',
    );
  }

  @Delete(':contact_id')
  @RequiresScope('contacts:write')
  @RequiresRole('manager')
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
    @CurrentCaller() caller: Caller,
    @Param('contact_id', RecordIdPipe) id: string,
    @Query() { erase }: DeleteContactQuery,
  ): Promise<ContactDeletedResponse> {
    const { accountId } = caller;
    if (erase === 'true') {
      if (!hasRole(caller, 'admin')) throw forbidden('erasing a contact needs the role admin');
      const { contactId } = await this.erasures.erase(accountId, id);
      return ContactDeletedResponse.from(contactId, 'Contact erased');
    }
    return ContactDeletedResponse.from(await this.contacts.delete(accountId, id), 'Contact deleted');
  }
}

/** What the caller decides; agents may not lift an opt-out. */
const decisionOf = (optedIn: boolean | undefined, caller: Caller): AccountDecision | undefined =>
  optedIn === undefined ? undefined : { optedIn, mayLift: hasRole(caller, 'manager') };
