import { Injectable } from '@nestjs/common';
import type { SealedColumn } from '../database/secrets/sealed-column.js';
import { SecretBox, type SecretPlace } from '../database/secrets/secret-box.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { DomainError, unprocessable } from '../errors/domain-error.js';
import { SECOND } from '../values/clock.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { AnswerRedaction } from './answer-redaction.js';
import {
  claimKey,
  deleteKey,
  endLease,
  type FamilyKey,
  findKey,
  renewLease,
  storeAnswer,
} from './idempotency.queries.js';
import type { StoredAnswer } from './stored-answer.js';

/** Milliseconds an owner holds a key without renewing its lease. */
const LEASE_MS = 60 * SECOND;
/** Attempts to claim a key that others release while we read it. */
const MAX_TRIES = 3;

/** An idempotency key and its account. */
export interface AccountKey extends FamilyKey {
  readonly accountId: RecordId;
}

/** One request's hold on a key. */
export interface Claim extends AccountKey {
  readonly owner: RecordId;
  /** The record an earlier owner created before it died. The answer is read from it, and nothing runs again. */
  readonly recordId: RecordId | null;
}

/** The result of a claim: the key for this request, or the answer of an earlier one. */
export type ClaimResult = { readonly claim: Claim } | { readonly answer: StoredAnswer };

/**
 * Owns idempotency keys. One request at a time holds a key while it runs, and its answer is kept for 24 hours. A
 * request that has lost its lease can no longer change the key.
 */
@Injectable()
export class IdempotencyKeysService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly secrets: SecretBox,
    private readonly redaction: AnswerRedaction,
  ) {}

  /**
   * Claims a key for a request, or returns the answer of an earlier one.
   *
   * @throws DomainError `unprocessable_entity` when the key was used with another payload, `conflict` while an earlier
   * request is still in progress
   */
  async claim(key: AccountKey, fingerprint: Buffer): Promise<ClaimResult> {
    const writes = this.unitOfWork.writes(key.accountId);
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const owner = newRecordId();
      const taken = await claimKey(key.accountId, key, { owner, fingerprint, leaseMs: LEASE_MS }, writes);
      if (taken !== null) return { claim: { ...key, owner, recordId: taken.recordId } };
      const found = await findKey(key.accountId, key, writes);
      if (found === null) continue;
      if (!found.fingerprint.equals(fingerprint)) {
        throw unprocessable('this Idempotency-Key was used with another payload; send a new key with a new request');
      }
      if (found.response === null) break;
      const answer = this.open({ ...key, key: found.idempotencyKey }, found.response);
      return { answer: { ...answer, body: await this.redaction.redact(key.accountId, answer.body) } };
    }
    throw new DomainError('conflict', 'a request with this Idempotency-Key is in progress; try again in 1 s', {
      headers: { 'retry-after': '1' },
    });
  }

  /** Extends the lease by a minute. False when the claim was lost. */
  renew({ accountId, owner, ...key }: Claim): Promise<boolean> {
    return renewLease(accountId, key, { owner, leaseMs: LEASE_MS }, this.unitOfWork.writes(accountId));
  }

  /** Stores the answer, encrypted because it may contain a secret. */
  async keep(claim: Claim, answer: StoredAnswer): Promise<void> {
    const { accountId, owner } = claim;
    const response = this.secrets.seal(JSON.stringify(answer), answerPlace(claim));
    await storeAnswer(accountId, claim, owner, { status: answer.status, response }, this.unitOfWork.writes(accountId));
  }

  /**
   * Frees the key for another request. A key with a record stays, so that it can be answered from the record, unless
   * `recordIsVoid`: the outcome proves that the record had no effect.
   */
  async release(claim: Claim, recordIsVoid: boolean): Promise<void> {
    const { accountId, owner } = claim;
    const writes = this.unitOfWork.writes(accountId);
    if (!(await deleteKey(accountId, claim, owner, recordIsVoid, writes))) {
      await endLease(accountId, claim, owner, writes);
    }
  }

  private open(key: AccountKey, response: string): StoredAnswer {
    return JSON.parse(this.secrets.open(response, answerPlace(key))) as StoredAnswer;
  }
}

/** Where the encrypted answer of a key is stored. */
export const answerPlace = ({ accountId, family, key }: AccountKey): SecretPlace => ({
  accountId,
  rowId: `${family}/${key}`,
  column: 'idempotency_keys.response',
});

/** The column of all encrypted answers. */
export const ANSWER_COLUMN: SealedColumn = {
  table: 'idempotency_keys',
  column: 'response',
  key: [
    ['family', 'uuid'],
    ['idempotency_key', 'text'],
  ],
  place: (accountId, [family = '', key = '']) => answerPlace({ accountId, family, key }),
};
