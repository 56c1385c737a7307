import { Injectable } from '@nestjs/common';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { now, SECOND } from '../values/clock.js';
import type { Page, Paged } from '../values/page.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { keyEnded, keyInUse, noSuchAccount, noSuchApiKey, tooManyKeys } from './account.errors.js';
import { lockAccount } from './account.queries.js';
import type { ApiKey } from './api-key.entity.js';
import { issueKey } from './api-key.js';
import {
  countWorkingKeys,
  findAccountOfKey,
  findApiKey,
  findKeys,
  insertKey,
  lockKey,
  revokeKey,
  updateSecret,
} from './api-key.queries.js';

/** Requests per 60 seconds of a key without a limit of its own. */
export const STANDARD_RATE_LIMIT = 100;

/** Working keys of one account. */
export const MAX_KEYS = 100;

export interface NewKey {
  /** Default: a new one. */
  readonly id?: RecordId;
  readonly accountId: RecordId;
  readonly name?: string;
  /** Checked by the caller. */
  readonly scopes: readonly string[];
  /** Requests per 60 seconds. */
  readonly rateLimit?: number;
  readonly expiresAt?: Date | null;
  /** CIDRs that the key may be used from. Default: anywhere. */
  readonly allowedNetworks?: readonly string[] | null;
  /** The predecessor's family when a key is rotated, so that both share idempotency keys and the rate limit. */
  readonly idempotencyFamily?: RecordId;
}

/**
 * Issues and revokes API keys. A key is shown only once, when it is issued.
 *
 * Changes of keys advance the configuration epoch and hold its lock until they commit. All accounts share that lock, so
 * whatever may wait for the account comes first: its lock, its audit entries, its idempotency keys.
 */
@Injectable()
export class ApiKeysService {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** @throws DomainError `not_found` when the account does not exist */
  async issue(
    {
      id = newRecordId(),
      accountId,
      name = 'API key',
      scopes,
      rateLimit = STANDARD_RATE_LIMIT,
      expiresAt = null,
      allowedNetworks = null,
      idempotencyFamily,
    }: NewKey,
    tx: Tx = this.unitOfWork.autocommit,
  ): Promise<{ id: RecordId; key: string }> {
    const { key, prefix, secretHash } = issueKey();
    await insertKey(
      accountId,
      {
        id,
        name,
        prefix,
        secretHash,
        scopes: [...scopes],
        rateLimit,
        idempotencyFamily: idempotencyFamily ?? id,
        expiresAt,
        allowedNetworks: allowedNetworks === null ? null : [...allowedNetworks],
      },
      tx,
    );
    return { id, key };
  }

  list(accountId: RecordId, page: Page): Promise<Paged<ApiKey>> {
    return findKeys(accountId, page, this.unitOfWork.reads(accountId));
  }

  /** @throws DomainError `not_found` */
  async find(accountId: RecordId, keyId: RecordId, tx: Tx): Promise<ApiKey> {
    const key = await findApiKey(accountId, keyId, tx);
    if (key === null) throw noSuchApiKey(keyId);
    return key;
  }

  /**
   * Locks the account before one of its keys changes.
   *
   * @throws DomainError `not_found`
   */
  async lockAccount(accountId: RecordId, tx: Tx): Promise<void> {
    if (!(await lockAccount(accountId, tx))) throw noSuchAccount(accountId);
  }

  /**
   * Makes sure that the account may have another key. Concurrent callers are counted one after the other.
   *
   * @throws DomainError `conflict`
   */
  async checkCount(accountId: RecordId, tx: Tx): Promise<void> {
    await this.lockAccount(accountId, tx);
    if ((await countWorkingKeys(accountId, now(), tx)) >= MAX_KEYS) throw tooManyKeys(MAX_KEYS);
  }

  /**
   * Locks a key that is about to be {@link replace}d. Until the overlap ends, both keys count as working keys.
   *
   * @throws DomainError `not_found`, `bad_request` when the key no longer works, `conflict` as {@link checkCount}
   */
  async lockForRotation(accountId: RecordId, keyId: RecordId, overlapSeconds: number, tx: Tx): Promise<ApiKey> {
    await this.lockAccount(accountId, tx);
    const key = await lockKey(accountId, keyId, tx);
    if (key === null) throw noSuchApiKey(keyId);
    if (key.revokedAt !== null) throw keyEnded(keyId, 'was revoked or rotated');
    if (key.expiresAt !== null && key.expiresAt <= now()) throw keyEnded(keyId, 'has expired');
    if (overlapSeconds > 0) await this.checkCount(accountId, tx);
    return key;
  }

  /**
   * Issues the successor `id` with the same rights, limit and idempotency keys. The old key, which is locked, works for
   * `overlapSeconds` more.
   *
   * @returns the successor's key
   */
  async replace(
    { accountId, id: oldId, name, scopes, rateLimit, expiresAt, allowedNetworks, idempotencyFamily }: ApiKey,
    { id, overlapSeconds }: { readonly id: RecordId; readonly overlapSeconds: number },
    tx: Tx,
  ): Promise<string> {
    await revokeKey(accountId, oldId, new Date(now().getTime() + overlapSeconds * SECOND), tx);
    const rights = { scopes, rateLimit, expiresAt, allowedNetworks, idempotencyFamily };
    return (await this.issue({ id, accountId, name, ...rights }, tx)).key;
  }

  /**
   * Locks a key whose secret is about to be {@link reissue}d, because nobody has received it.
   *
   * @throws DomainError `not_found`, `conflict` when the key has been used
   */
  async lockUnused(accountId: RecordId, keyId: RecordId, tx: Tx): Promise<void> {
    const key = await lockKey(accountId, keyId, tx);
    if (key === null) throw noSuchApiKey(keyId);
    if (key.lastUsedAt !== null) throw keyInUse(keyId);
  }

  /** Replaces the secret of a locked key, and returns the key. */
  async reissue(accountId: RecordId, keyId: RecordId, tx: Tx): Promise<string> {
    const { key, prefix, secretHash } = issueKey();
    await updateSecret(accountId, keyId, { prefix, secretHash }, tx);
    return key;
  }

  /**
   * Revokes a key, within a second in every process. Idempotent.
   *
   * @throws DomainError `not_found` when the account has no such key
   */
  async revoke(accountId: RecordId, keyId: RecordId, tx: Tx = this.unitOfWork.autocommit): Promise<void> {
    const found = await revokeKey(accountId, keyId, now(), tx);
    if (!found) throw noSuchApiKey(keyId);
  }

  /**
   * The key's account, for operators, who identify a key by its id alone.
   *
   * @throws DomainError `not_found`
   */
  async accountOf(keyId: RecordId): Promise<RecordId> {
    const accountId = await findAccountOfKey(keyId, this.unitOfWork.autocommit);
    if (accountId === null) throw noSuchApiKey(keyId);
    return accountId;
  }
}
