import { Body, Controller, Delete, Get, Param, Patch, Post, Res } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { BusinessPhonesService } from '../accounts/business-phones.service.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequiresScope } from '../auth/scopes.js';
import { RecordIdPipe } from '../http/record-id.pipe.js';
import { Idempotent } from '../idempotency/idempotent.decorator.js';
import type { RecordId } from '../values/record-id.js';
import { nothingToChange, tokenOrCode } from './connect.errors.js';
import { ChangePhoneRequest, ConnectPhoneRequest } from './dto/connect.request.js';
import { ConnectPhoneResponse, PhoneHealthResponse, RemovedPhoneResponse } from './dto/connect.response.js';
import { type ConnectionOutcome, PhoneConnectionService } from './phone-connection.service.js';
import { PhoneHealthService } from './phone-health.service.js';
import { PhoneRemovalService } from './phone-removal.service.js';

/** Connects business phones, checks, corrects and removes them. */
@ApiTags('business-phones')
@Controller('api/v1/business-phones')
export class ConnectController {
  constructor(
    private readonly phones: BusinessPhonesService,
    private readonly connection: PhoneConnectionService,
    private readonly health: PhoneHealthService,
    private readonly removal: PhoneRemovalService,
  ) {}

  @Post('connect')
  @Idempotent({ recover: 'connected' })
  @RequiresScope('business_phones:write')
  @ApiOperation({
    summary: 'Connect a business phone',
    description:
      'Checks the token, its rights and the ids at Meta, registers the number if a `pin` is given, subscribes the app, and ' +
      'compares callback URL and fields. Stores the phone only if no check has failed: 201. A number that the account has or ' +
      'had keeps its `waba_phone_id`.',
  })
  @ApiOkResponse({ type: ConnectPhoneResponse, description: 'Not connected; `checks` says why' })
  @ApiCreatedResponse({ type: ConnectPhoneResponse, description: 'Connected' })
  @ApiConflictResponse({ description: 'The phone or its business account belongs to another account' })
  async connect(
    @CurrentCaller() { accountId }: Caller,
    @Body() { phone_number_id, waba_id, token, code, app_id, pin }: ConnectPhoneRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ConnectPhoneResponse> {
    const credentials = [token == null ? [] : [{ token }], code == null ? [] : [{ code }]].flat();
    const [credential] = credentials;
    if (credential === undefined) throw tokenOrCode('neither');
    if (credentials.length > 1) throw tokenOrCode('both');
    const outcome = await this.connection.connect(accountId, {
      phoneNumberId: phone_number_id,
      wabaId: waba_id,
      credential,
      appId: app_id ?? null,
      pin: pin ?? null,
    });
    reply.status(outcome.phoneId === null ? 200 : 201);
    return this.answer(accountId, outcome);
  }

  /** Answers for a process that died after it had stored the phone. */
  async connected(
    phoneId: RecordId,
    { accountId }: Caller,
    _: ConnectPhoneRequest,
    reply: FastifyReply,
  ): Promise<ConnectPhoneResponse> {
    reply.status(201);
    return this.answer(accountId, { phoneId, checks: await this.health.look(accountId, phoneId) });
  }

  @Get(':waba_phone_id/health')
  @RequiresScope('business_phones:read')
  @ApiOperation({
    summary: 'Check a business phone',
    description: 'The checks of connect, and whether reports come. They are at most a minute old.',
  })
  @ApiOkResponse({ type: PhoneHealthResponse })
  @ApiNotFoundResponse({ description: 'There is no such business phone' })
  async check(
    @CurrentCaller() { accountId }: Caller,
    @Param('waba_phone_id', RecordIdPipe) phoneId: string,
  ): Promise<PhoneHealthResponse> {
    return PhoneHealthResponse.from(await this.health.checks(accountId, phoneId));
  }

  @Patch(':waba_phone_id')
  @RequiresScope('business_phones:write')
  @ApiOperation({
    summary: 'Correct the ids of a business phone',
    description: 'Makes all checks again, and changes nothing if one has failed.',
  })
  @ApiOkResponse({ type: ConnectPhoneResponse })
  @ApiNotFoundResponse({ description: 'There is no such business phone' })
  @ApiConflictResponse({ description: 'The phone or its business account belongs to another account' })
  async change(
    @CurrentCaller() { accountId }: Caller,
    @Param('waba_phone_id', RecordIdPipe) phoneId: string,
    @Body() { phone_number_id, waba_id }: ChangePhoneRequest,
  ): Promise<ConnectPhoneResponse> {
    if (phone_number_id == null && waba_id == null) throw nothingToChange();
    const outcome = await this.connection.change(accountId, phoneId, {
      ...(phone_number_id != null && { phoneNumberId: phone_number_id }),
      ...(waba_id != null && { wabaId: waba_id }),
    });
    return this.answer(accountId, outcome);
  }

  @Delete(':waba_phone_id')
  @RequiresScope('business_phones:write')
  @ApiOperation({
    summary: 'Remove a business phone',
    description:
      'Nothing can be sent from it any more (403), and its `phone_number_id` is free. Messages and conversations stay.',
  })
  @ApiOkResponse({ type: RemovedPhoneResponse })
  @ApiNotFoundResponse({ description: 'There is no such business phone' })
  @ApiConflictResponse({ description: 'Campaigns of the phone run or are scheduled' })
  async remove(
    @CurrentCaller() { accountId }: Caller,
    @Param('waba_phone_id', RecordIdPipe) phoneId: string,
  ): Promise<RemovedPhoneResponse> {
    await this.removal.remove(accountId, phoneId);
    this.health.forget(accountId, phoneId);
    // So that this process refuses its sends immediately.
    await this.phones.findCurrent(accountId, phoneId);
    return RemovedPhoneResponse.from(phoneId);
  }

  private async answer(accountId: RecordId, { phoneId, checks }: ConnectionOutcome): Promise<ConnectPhoneResponse> {
    if (phoneId === null) return ConnectPhoneResponse.from(null, checks);
    this.health.forget(accountId, phoneId);
    return ConnectPhoneResponse.from(await this.phones.findCurrent(accountId, phoneId), checks);
  }
}
