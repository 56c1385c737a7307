import { Injectable } from '@nestjs/common';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { now } from '../values/clock.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { noSuchApiKey } from './account.errors.js';
import { issueKey } from './api-key.js';
import { findAccountOfKey, insertKey, revokeKey } from './api-key.queries.js';

/** Requests per 60 seconds of a key without a limit of its own. */
export const STANDARD_RATE_LIMIT = 100;

export interface NewKey {
  readonly accountId: RecordId;
  readonly name?: string;
  /** Checked by the caller. */
  readonly scopes: readonly string[];
  /** Requests per 60 seconds. */
  readonly rateLimit?: number;
  readonly expiresAt?: Date | null;
  /** The predecessor's family when a key is rotated, so that both share idempotency keys. */
  readonly idempotencyFamily?: RecordId;
}

/** Issues and revokes API keys. A key is shown only once, when it is issued. */
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
   * Revokes a key, within a second in every process. Idempotent.
   *
   * @throws DomainError `not_found` when the account has no such key
   */
  async revoke(accountId: RecordId, keyId: RecordId): Promise<void> {
    const found = await revokeKey(accountId, keyId, now(), this.unitOfWork.autocommit);
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
