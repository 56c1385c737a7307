import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { endOf, parseKey, secretMatches } from '../accounts/api-key.js';
import { findKeyByPrefix, type KeyWithAccount, stampLastUsed } from '../accounts/api-key.queries.js';
import { ConfigurationCache, ConfigurationChanges } from '../database/configuration-changes.js';
import { BackgroundUnitOfWork, UnitOfWork } from '../database/unit-of-work.js';
import type { Caller } from './caller.js';

/** Milliseconds between two writes of last-used times. */
const STAMP_EVERY_MS = 5000;

interface KnownKey {
  readonly stored: KeyWithAccount;
  readonly caller: Caller;
}

/** Finds the caller behind an API key. Keys are cached until the configuration changes in any process. */
@Injectable()
export class AuthenticationService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(AuthenticationService.name);
  private readonly known: ConfigurationCache<KnownKey | null>;
  private used = new Map<string, { accountId: string; at: Date }>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly background: BackgroundUnitOfWork,
    changes: ConfigurationChanges,
  ) {
    this.known = new ConfigurationCache(changes);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.stamp(), STAMP_EVERY_MS);
    this.timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    await this.stamp();
  }

  /** The caller with this key if it is cached and valid; null when a look-up is needed. */
  async recognise(key: string, at: Date): Promise<Caller | null> {
    const parts = parseKey(key);
    const cached = parts === null ? undefined : this.known.peek(parts.prefix);
    if (parts === null || cached === undefined) return null;
    return this.admit(await cached, parts.secret, at);
  }

  /**
   * The caller with this key, or null when it is malformed, unknown, expired or revoked. The cache may be slightly
   * stale, so a key that looks invalid is read again first.
   */
  async authenticate(key: string, at: Date): Promise<Caller | null> {
    const parts = parseKey(key);
    if (parts === null) return null;
    const { prefix, secret } = parts;
    const known = await this.known.getUnless(
      prefix,
      () => this.load(prefix),
      (found) => !isValid(found, secret, at),
    );
    return this.admit(known, secret, at);
  }

  /** The caller with its key and account read again; unchanged if the key no longer exists. */
  async reread(caller: Caller): Promise<Caller> {
    const known = await this.known.getCurrent(caller.keyPrefix, () => this.load(caller.keyPrefix));
    return known?.caller ?? caller;
  }

  private admit(known: KnownKey | null, secret: string, at: Date): Caller | null {
    if (!isValid(known, secret, at)) return null;
    this.used.set(known.caller.keyId, { accountId: known.caller.accountId, at });
    return known.caller;
  }

  private async load(prefix: string): Promise<KnownKey | null> {
    const stored = await findKeyByPrefix(prefix, this.unitOfWork.control);
    if (stored === null) return null;
    const { id, accountId, organisationId, ownerId, idempotencyFamily, scopes, rateLimit, accountStatus, isPurging } =
      stored;
    const caller: Caller = {
      accountId,
      organisationId,
      ownerId,
      keyId: id,
      keyPrefix: prefix,
      keyFamily: idempotencyFamily,
      scopes: new Set(scopes),
      endsAt: endOf(stored),
      allowedNetworks: stored.allowedNetworks,
      rateLimit,
      suspended: accountStatus === 'suspended',
      purging: isPurging,
    };
    return { stored, caller };
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
        this.background.autocommit,
      );
    } catch (error) {
      // Kept for the next time: a key that has been used must not look unused for long.
      this.used = new Map([...used, ...this.used]);
      this.logger.warn(`could not store the last-used times of ${used.length} keys: ${(error as Error).message}`);
    }
  }
}

/** Whether the key exists, the secret matches, and it has neither expired nor been revoked. */
function isValid(known: KnownKey | null, secret: string, at: Date): known is KnownKey {
  if (known === null || !secretMatches(secret, known.stored.secretHash)) return false;
  const { endsAt } = known.caller;
  return endsAt === null || endsAt > at;
}
