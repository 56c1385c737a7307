import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { parseKey, secretMatches } from '../accounts/api-key.js';
import { findKeyByPrefix, type KeyRow, stampLastUsed } from '../accounts/api-key.queries.js';
import { ConfigurationCache, ConfigurationEpoch } from '../database/configuration-epoch.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { Caller } from './caller.js';

/** How often last-used stamps are written, milliseconds. */
const STAMP_EVERY_MS = 5000;

interface KnownKey {
  readonly row: KeyRow;
  readonly caller: Caller;
}

/** Finds the caller behind an API key. Keys are remembered until the configuration changes anywhere. */
@Injectable()
export class ApiKeyService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ApiKeyService.name);
  private readonly known: ConfigurationCache<KnownKey | null>;
  private used = new Map<string, { accountId: string; at: Date }>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    epoch: ConfigurationEpoch,
  ) {
    this.known = new ConfigurationCache(epoch);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.stamp(), STAMP_EVERY_MS);
    this.timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    await this.stamp();
  }

  /** The caller that presents `key`, or null when it is malformed, unknown, expired or revoked (D11). */
  async authenticate(key: string, at: Date): Promise<Caller | null> {
    const parts = parseKey(key);
    if (parts === null) return null;
    const known = await this.known.get(parts.prefix, () => this.load(parts.prefix));
    if (known === null || !secretMatches(parts.secret, known.row.secret_hash)) return null;
    const { revoked_at: revokedAt, expires_at: expiresAt } = known.row;
    if ((revokedAt !== null && revokedAt <= at) || (expiresAt !== null && expiresAt <= at)) return null;
    this.used.set(known.row.id, { accountId: known.row.account_id, at });
    return known.caller;
  }

  private async load(prefix: string): Promise<KnownKey | null> {
    const row = await findKeyByPrefix(prefix, this.unitOfWork.autocommit);
    if (row === null) return null;
    const caller: Caller = {
      accountId: row.account_id,
      organisationId: row.organisation_id,
      ownerId: row.owner_id,
      keyId: row.id,
      keyFamily: row.idempotency_family,
      scopes: new Set(row.scopes),
      rateLimit: row.rate_limit,
      suspended: row.account_status === 'suspended',
    };
    return { row, caller };
  }

  private async stamp(): Promise<void> {
    if (this.used.size === 0) return;
    const used = [...this.used].sort(([a], [b]) => (a < b ? -1 : 1));
    this.used = new Map();
    try {
      await stampLastUsed(
        used.map(([, { accountId }]) => accountId),
        used.map(([id]) => id),
        used.map(([, { at }]) => at),
        this.unitOfWork.autocommit,
      );
    } catch (error) {
      this.logger.warn(`last-used stamps of ${used.length} keys were lost: ${(error as Error).message}`);
    }
  }
}
