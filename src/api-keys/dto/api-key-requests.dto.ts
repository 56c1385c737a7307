import { ApiProperty } from '@nestjs/swagger';
import { isNetwork } from '../../auth/networks.js';
import { EVERY_SCOPE } from '../../auth/scopes.js';
import { badRequest } from '../../errors/domain-error.js';
import { AbsenceMeansMore, Iso8601, Optional, shown, Text, WholeNumber } from '../../http/field-rules.js';
import { TextList } from '../../http/list-rules.js';
import { declaredValues } from '../../manifest/declared-values.js';
import type { Manifest } from '../../manifest/manifest.js';
import { now } from '../../values/clock.js';
import { instantOf } from '../../values/local-time.js';
import { withNearest } from '../../values/nearest.js';
import type { KeyRights } from '../key-rules.js';

/** Characters. */
const MAX_NAME = 256;
const MAX_SCOPES = 100;
const MAX_NETWORKS = 50;
/** Characters of a scope, and of a network. */
const MAX_SCOPE = 256;
const MAX_NETWORK = 256;
/** A week, seconds. */
const MAX_OVERLAP_S = 7 * 24 * 60 * 60;

/** Body of `POST /api/v1/api-keys/`. */
export class CreateApiKeyRequest {
  @ApiProperty({ example: 'Order service' })
  @Text({ max: MAX_NAME })
  name: string;

  @ApiProperty({
    description: `What the key may do; \`${EVERY_SCOPE}\` is everything, later scopes included. Default: the scopes of the calling key`,
    example: ['contacts:read', 'messages:write'],
  })
  @AbsenceMeansMore()
  @Optional()
  @TextList(MAX_SCOPES, MAX_SCOPE, {
    min: 1,
    hint: 'leave it out to inherit',
    items: declaredValues('scopes'),
  })
  scopes?: string[] | null;

  @ApiProperty({
    description: 'When the key stops working. Default: as the calling key',
    example: '2031-01-31T09:30:00Z',
  })
  @AbsenceMeansMore()
  @Optional()
  @Iso8601()
  expires_at?: string | null;

  @ApiProperty({
    description: 'Addresses and CIDRs that the key may be used from. Default: as the calling key',
    example: ['203.0.113.0/24'],
  })
  @AbsenceMeansMore()
  @Optional()
  @TextList(MAX_NETWORKS, MAX_NETWORK, { min: 1, hint: 'leave it out to allow all' })
  allowed_networks?: string[] | null;

  /** @throws DomainError 400 */
  rights({ scopes }: Manifest): Partial<KeyRights> {
    return {
      scopes: this.wantedScopes([EVERY_SCOPE, ...scopes]),
      expiresAt: this.expiry(),
      allowedNetworks: this.networks(),
    };
  }

  private wantedScopes(known: readonly string[]): string[] | undefined {
    if (this.scopes === undefined || this.scopes === null) return undefined;
    const unknown = this.scopes.find((scope) => !known.includes(scope));
    if (unknown !== undefined) {
      throw badRequest(`scopes: ${withNearest(`there is no scope ${JSON.stringify(unknown)}`, unknown, known)}`);
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
    const index = this.allowed_networks.findIndex((network) => !isNetwork(network));
    if (index !== -1) {
      throw badRequest(
        `allowed_networks[${index}] must be an IP address or a CIDR, such as 203.0.113.0/24 (got ${shown(this.allowed_networks[index])})`,
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
