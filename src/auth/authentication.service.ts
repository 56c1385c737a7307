import { Injectable } from '@nestjs/common';
import { endOf, parseKey, secretMatches } from '../accounts/api-key.js';
import { findKeyByPrefix, type KeyWithAccount, stampLastUsed } from '../accounts/api-key.queries.js';
import { ConfigurationCache, ConfigurationChanges } from '../database/configuration-changes.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { Caller } from './caller.js';
import { LastUses, type UsesOfKind } from './last-uses.js';

interface KnownKey {
  readonly stored: KeyWithAccount;
  readonly caller: Caller;
}

/** Finds the caller behind an API key. Keys are cached until the configuration changes in any process. */
@Injectable()
export class AuthenticationService {
  private readonly known: ConfigurationCache<KnownKey | null>;
  private readonly uses: UsesOfKind;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    changes: ConfigurationChanges,
    uses: LastUses,
  ) {
    this.known = new ConfigurationCache(changes);
    this.uses = uses.of('keys', stampLastUsed);
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
  async reread(caller: Caller, keyPrefix: string): Promise<Caller> {
    const known = await this.known.getCurrent(keyPrefix, () => this.load(keyPrefix));
    return known?.caller ?? caller;
  }

  private admit(known: KnownKey | null, secret: string, at: Date): Caller | null {
    if (!isValid(known, secret, at)) return null;
    this.uses.note(known.caller.accountId, known.stored.id, at);
    return known.caller;
  }

  private async load(prefix: string): Promise<KnownKey | null> {
    const stored = await findKeyByPrefix(prefix, this.unitOfWork.control);
    if (stored === null) return null;
    const { id, accountId, organisationId, ownerId, idempotencyFamily, scopes, rateLimit, accountStatus, isPurging } =
      stored;
    const caller: Caller = {
      by: { kind: 'api_key', keyId: id, keyPrefix: prefix },
      accountId,
      organisationId,
      userId: ownerId,
      source: 'api',
      family: idempotencyFamily,
      scopes: new Set(scopes),
      endsAt: endOf(stored),
      allowedNetworks: stored.allowedNetworks,
      budget: { subject: `key:${idempotencyFamily}`, limit: rateLimit },
      suspended: accountStatus === 'suspended',
      purging: isPurging,
    };
    return { stored, caller };
  }
}

/** Whether the key exists, the secret matches, and it has neither expired nor been revoked. */
function isValid(known: KnownKey | null, secret: string, at: Date): known is KnownKey {
  if (known === null || !secretMatches(secret, known.stored.secretHash)) return false;
  const { endsAt } = known.caller;
  return endsAt === null || endsAt > at;
}
