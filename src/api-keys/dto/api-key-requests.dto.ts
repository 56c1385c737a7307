import { ApiProperty } from '@nestjs/swagger';
import { isNetwork } from '../../auth/networks.js';
import { EVERY_SCOPE, KNOWN_SCOPES } from '../../auth/scopes.js';
import { badRequest } from '../../errors/domain-error.js';
import { Iso8601, Optional, Text, TextList, WholeNumber } from '../../http/field-rules.js';
import { now } from '../../values/clock.js';
import { instantOf } from '../../values/local-time.js';
import { withNearest } from '../../values/nearest.js';
import type { KeyRights } from '../key-rules.js';

const MAX_NETWORKS = 50;
/** A week, seconds. */
const MAX_OVERLAP_S = 7 * 24 * 60 * 60;

/** Body of `POST /api/v1/api-keys/`. */
export class CreateApiKeyRequest {
  @ApiProperty({ example: 'Order service' })
  @Text({ max: 256 })
  name: string;

  @ApiProperty({
    items: { type: 'string', enum: [...KNOWN_SCOPES] },
    minItems: 1,
    description: `What the key may do; \`${EVERY_SCOPE}\` is everything, later scopes included. Default: the scopes of the calling key`,
    example: ['contacts:read', 'messages:write'],
  })
  @Optional()
  @TextList(KNOWN_SCOPES.length)
  scopes?: string[] | null;

  @ApiProperty({
    description: 'When the key stops working. Default: as the calling key',
    example: '2031-01-31T09:30:00Z',
  })
  @Optional()
  @Iso8601()
  expires_at?: string | null;

  @ApiProperty({
    minItems: 1,
    description: 'Addresses and CIDRs that the key may be used from. Default: as the calling key',
    example: ['203.0.113.0/24'],
  })
  @Optional()
  @TextList(MAX_NETWORKS)
  allowed_networks?: string[] | null;

  /** @throws DomainError 400 */
  rights(): Partial<KeyRights> {
    return { scopes: this.wantedScopes(), expiresAt: this.expiry(), allowedNetworks: this.networks() };
  }

  private wantedScopes(): string[] | undefined {
    if (this.scopes === undefined || this.scopes === null) return undefined;
    if (this.scopes.length === 0)
      throw badRequest('scopes must have at least 1 entry (got 0); leave it out to inherit');
    const unknown = this.scopes.find((scope) => !KNOWN_SCOPES.includes(scope));
    if (unknown !== undefined) {
      throw badRequest(`scopes: ${withNearest(`there is no scope ${JSON.stringify(unknown)}`, unknown, KNOWN_SCOPES)}`);
    }
    return [...new Set(this.scopes)];
  }

  private expiry(): Date | undefined {
    if (this.expires_at === undefined || this.expires_at === null) return undefined;
    const expiresAt = instantOf(this.expires_at);
    if (expiresAt <= now()) throw badRequest(`expires_at must be in the future (got ${this.expires_at})`);
    return expiresAt;
  }

  private networks(): string[] | undefined {
    if (this.allowed_networks === undefined || this.allowed_networks === null) return undefined;
    if (this.allowed_networks.length === 0) {
      throw badRequest('allowed_networks must have at least 1 entry (got 0); leave it out to allow all');
    }
    const index = this.allowed_networks.findIndex((network) => !isNetwork(network));
    if (index !== -1) {
      throw badRequest(
        `allowed_networks[${index}] must be an IP address or a CIDR, such as 203.0.113.0/24 (got ${this.allowed_networks[index]})`,
      );
    }
    return this.allowed_networks;
  }
}

/** Body of `POST /api/v1/api-keys/{key_id}/rotate`. */
export class RotateApiKeyRequest {
  @ApiProperty({
    default: 0,
    description: 'Seconds for which the old key goes on working',
    example: 3600,
  })
  @Optional()
  @WholeNumber(0, MAX_OVERLAP_S)
  overlap_seconds?: number | null;
}
