import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiConflictResponse, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequiresScope } from '../auth/scopes.js';
import { PageQuery } from '../http/page.dto.js';
import { RecordIdPipe } from '../http/record-id.pipe.js';
import { Idempotent } from '../idempotency/idempotent.decorator.js';
import { Manifest } from '../manifest/manifest.js';
import type { RecordId } from '../values/record-id.js';
import { CreateApiKeyRequest, RotateApiKeyRequest } from './dto/api-key-requests.dto.js';
import { ApiKeysResponse, IssuedApiKeyResponse, RevokedApiKeyResponse } from './dto/api-key-responses.dto.js';
import { KeyManagementService } from './key-management.service.js';

const CREATED = 'API key created';
const ROTATED = 'API key rotated';

/** API keys of the account. */
@ApiTags('api-keys')
@Controller('api/v1/api-keys')
export class ApiKeysController {
  constructor(
    private readonly keys: KeyManagementService,
    private readonly manifest: Manifest,
  ) {}

  @Get()
  @RequiresScope('api_keys:read')
  @ApiOperation({ summary: 'List API keys, newest first', description: 'Revoked and expired keys are listed too.' })
  @ApiOkResponse({ type: ApiKeysResponse })
  async list(@CurrentCaller() { accountId }: Caller, @Query() page: PageQuery): Promise<ApiKeysResponse> {
    return ApiKeysResponse.from(await this.keys.list(accountId, page), page);
  }

  @Post()
  @Idempotent({ recover: 'created' })
  @RequiresScope('api_keys:write')
  @ApiOperation({
    summary: 'Create API key',
    description:
      'The key is shown once. It can do no more than the key that creates it, from no other network and for no longer.',
  })
  @ApiCreatedResponse({ type: IssuedApiKeyResponse })
  @ApiConflictResponse({ description: 'The account has as many working keys as it may have' })
  async create(@CurrentCaller() caller: Caller, @Body() body: CreateApiKeyRequest): Promise<IssuedApiKeyResponse> {
    return IssuedApiKeyResponse.from(
      CREATED,
      await this.keys.create(caller, { name: body.name, ...body.rights(this.manifest) }),
    );
  }

  async created(keyId: RecordId, { accountId }: Caller): Promise<IssuedApiKeyResponse> {
    return IssuedApiKeyResponse.from(CREATED, await this.keys.reissue(accountId, keyId));
  }

  @Post(':key_id/rotate')
  @Idempotent({ recover: 'rotated' })
  @HttpCode(200)
  @RequiresScope('api_keys:write')
  @ApiOperation({
    summary: 'Rotate API key',
    description:
      'Issues a successor with the same name, rights, rate limit and idempotency keys. The old key works for `overlap_seconds` more.',
  })
  @ApiOkResponse({ type: IssuedApiKeyResponse })
  async rotate(
    @CurrentCaller() caller: Caller,
    @Param('key_id', RecordIdPipe) keyId: string,
    @Body() body: RotateApiKeyRequest,
  ): Promise<IssuedApiKeyResponse> {
    return IssuedApiKeyResponse.from(ROTATED, await this.keys.rotate(caller, keyId, body.overlap_seconds ?? 0));
  }

  async rotated(keyId: RecordId, { accountId }: Caller): Promise<IssuedApiKeyResponse> {
    return IssuedApiKeyResponse.from(ROTATED, await this.keys.reissue(accountId, keyId));
  }

  @Delete(':key_id')
  @RequiresScope('api_keys:write')
  @ApiOperation({
    summary: 'Revoke API key',
    description:
      'It stops working within a second, on every process. The calling key needs every scope of the key that it revokes.',
  })
  @ApiOkResponse({ type: RevokedApiKeyResponse })
  async revoke(
    @CurrentCaller() caller: Caller,
    @Param('key_id', RecordIdPipe) keyId: string,
  ): Promise<RevokedApiKeyResponse> {
    await this.keys.revoke(caller, keyId);
    return RevokedApiKeyResponse.from(keyId);
  }
}
