import { ApiProperty } from '@nestjs/swagger';
import type { ApiKey } from '../../accounts/api-key.entity.js';
import type { PageQuery } from '../../http/page.dto.js';
import { PagedResponse, SuccessResponse } from '../../http/responses.dto.js';
import { ShownOnce } from '../../http/shown-once.js';
import { now } from '../../values/clock.js';
import type { Paged } from '../../values/page.js';
import type { IssuedApiKey } from '../key-management.service.js';

const KEY_STATUSES = ['active', 'expired', 'revoked'] as const;

type KeyStatus = (typeof KEY_STATUSES)[number];

/** An API key without its secret, which is shown only when the key is issued. */
export class ApiKeyRecord {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty() name: string;
  @ApiProperty({ description: 'How the key begins', example: 'pk_live_4uXw0bVqRz1T' }) prefix: string;
  @ApiProperty({ type: [String], example: ['contacts:read'] }) scopes: string[];
  @ApiProperty({ type: 'integer', description: 'Requests in any 60 seconds' }) rate_limit: number;
  @ApiProperty({ type: [String], nullable: true, description: 'Where it may be used from; null: anywhere' })
  allowed_networks: string[] | null;
  @ApiProperty({ enum: KEY_STATUSES }) status: KeyStatus;
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) expires_at: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it was revoked, or when a rotated key stops working',
  })
  revoked_at: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Exact to a few seconds' })
  last_used_at: string | null;

  static from(key: ApiKey): ApiKeyRecord {
    return {
      id: key.id,
      name: key.name,
      prefix: `pk_live_${key.prefix}`,
      scopes: key.scopes,
      rate_limit: key.rateLimit,
      allowed_networks: key.allowedNetworks,
      status: statusOf(key, now()),
      created_at: key.createdAt.toISOString(),
      expires_at: key.expiresAt?.toISOString() ?? null,
      revoked_at: key.revokedAt?.toISOString() ?? null,
      last_used_at: key.lastUsedAt?.toISOString() ?? null,
    };
  }
}

function statusOf({ revokedAt, expiresAt }: ApiKey, at: Date): KeyStatus {
  if (revokedAt !== null && revokedAt <= at) return 'revoked';
  return expiresAt !== null && expiresAt <= at ? 'expired' : 'active';
}

/** One page of API keys. */
export class ApiKeysResponse extends PagedResponse {
  @ApiProperty({ type: [ApiKeyRecord] }) api_keys: ApiKeyRecord[];

  static from(paged: Paged<ApiKey>, query: PageQuery): ApiKeysResponse {
    return { status: 'success', api_keys: paged.rows.map(ApiKeyRecord.from), ...PagedResponse.paging(paged, query) };
  }
}

/** Response of create and rotate: the only ones that ever hold a key. */
export class IssuedApiKeyResponse extends SuccessResponse {
  @ApiProperty() message: string;
  @ApiProperty({ type: ApiKeyRecord }) api_key: ApiKeyRecord;
  @ShownOnce()
  @ApiProperty({ description: 'The key itself. Shown once; store it now', example: 'pk_live_4uXw0bVqRz1T_…' })
  key: string;

  static from(message: string, { record, key }: IssuedApiKey): IssuedApiKeyResponse {
    return { status: 'success', message, api_key: ApiKeyRecord.from(record), key };
  }
}

/** Response of a revocation. */
export class RevokedApiKeyResponse extends SuccessResponse {
  @ApiProperty() message: string;
  @ApiProperty({ format: 'uuid' }) api_key_id: string;

  static from(keyId: string): RevokedApiKeyResponse {
    return { status: 'success', message: 'API key revoked', api_key_id: keyId };
  }
}
