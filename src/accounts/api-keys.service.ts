import { Injectable } from '@nestjs/common';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { now } from '../values/clock.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { noSuchApiKey } from './account.errors.js';
import { issueKey } from './api-key.js';
import { findAccountOfKey, insertKey, revokeKey } from './api-key.queries.js';

/** Requests in any 60 seconds that a key may make unless it carries its own limit. */
export const STANDARD_RATE_LIMIT = 100;

export interface NewKey {
  readonly accountId: RecordId;
  readonly name?: string;
  /** What the key may touch; checked by the caller. */
  readonly scopes: readonly string[];
  /** Requests in any 60 seconds. */
  readonly rateLimit?: number;
  readonly expiresAt?: Date | null;
  /** Shared with the predecessor when a key is rotated, so that they share idempotency keys. */
  readonly idempotencyFamily?: RecordId;
}

/** Issues and revokes API keys. A key is shown when it is issued and never again. */
@Injectable()
export class ApiKeysService {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** @throws DomainError `not_found` when the account does not exist */
  async issue(
    {
      accountId,
      name = 'API key',
      scopes,
      rateLimit = STANDARD_RATE_LIMIT,
      expiresAt = null,
      idempotencyFamily,
    }: NewKey,
    tx: Tx = this.unitOfWork.autocommit,
  ): Promise<{ id: RecordId; key: string }> {
    const id = newRecordId();
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
      },
      tx,
    );
    return { id, key };
  }

  /**
   * The key opens nothing any more, within a second on every process; revoking it again changes nothing.
   *
   * @throws DomainError `not_found` when the account has no such key
   */
  async revoke(accountId: RecordId, keyId: RecordId): Promise<void> {
    const found = await revokeKey(accountId, keyId, now(), this.unitOfWork.autocommit);
    if (!found) throw noSuchApiKey(keyId);
  }

  /**
   * The account that the key belongs to; for operators, who name a key alone.
   *
   * @throws DomainError `not_found`
   */
  async accountOf(keyId: RecordId): Promise<RecordId> {
    const accountId = await findAccountOfKey(keyId, this.unitOfWork.autocommit);
    if (accountId === null) throw noSuchApiKey(keyId);
    return accountId;
  }
}
