import { Injectable } from '@nestjs/common';
import { SecretBox, type SecretPlace } from '../database/secret-box.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { DomainError, unprocessable } from '../errors/domain-error.js';
import { SECOND } from '../values/clock.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { dropKey, endLease, type FamilyKey, findKey, keepAnswer, renewLease, takeKey } from './idempotency.queries.js';
import type { StoredAnswer } from './stored-answer.js';

/** How long an owner that is not heard of keeps a key, milliseconds (D9). */
const LEASE_MS = 60 * SECOND;
/** A key that is released while we look at it is tried for again; so often at most. */
const MOST_TRIES = 3;

/** An idempotency key and whose it is. */
export interface AccountKey extends FamilyKey {
  readonly accountId: RecordId;
}

/** One request's hold on a key. */
export interface Claim extends AccountKey {
  readonly owner: RecordId;
  /** What the owner before made with the key before it died: the answer is read from it, and nothing runs again. */
  readonly recordId: RecordId | null;
}

/** What a request finds under its key: a claim of its own, or the answer of an earlier request. */
export type Found = { readonly claim: Claim } | { readonly answer: StoredAnswer };

/**
 * Owns idempotency keys: each is had by one request at a time, for as long as the request is at work, and keeps its
 * answer for 24 hours (D9). A request that was thought dead and is not finds that it can no longer change anything.
 */
@Injectable()
export class IdempotencyKeys {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly secrets: SecretBox,
  ) {}

  /**
   * Claims a key for a request, or answers what came of it before.
   *
   * @throws DomainError `unprocessable_entity` when the key was used with another payload, `conflict` while an earlier
   * request is at work on it
   */
  async claim(key: AccountKey, fingerprint: Buffer): Promise<Found> {
    const { autocommit } = this.unitOfWork;
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const owner = newRecordId();
      const taken = await takeKey(key.accountId, key, { owner, fingerprint, leaseMs: LEASE_MS }, autocommit);
      if (taken !== null) return { claim: { ...key, owner, recordId: taken.record_id } };
      const found = await findKey(key.accountId, key, autocommit);
      if (found === null) continue;
      if (!found.fingerprint.equals(fingerprint)) {
        throw unprocessable('this Idempotency-Key was used with another payload; a new request needs a new key');
      }
      if (found.response === null) break;
      return { answer: this.open(key, found.response) };
    }
    throw new DomainError('conflict', 'a request with this Idempotency-Key is in progress', {
      headers: { 'retry-after': '1' },
    });
  }

  /** Whether the claim still stands; then it does for another minute. */
  renew({ accountId, owner, ...key }: Claim): Promise<boolean> {
    return renewLease(accountId, key, { owner, leaseMs: LEASE_MS }, this.unitOfWork.autocommit);
  }

  /** Keeps the answer, encrypted: it may hold a secret (D9, D39). */
  async keep(claim: Claim, answer: StoredAnswer): Promise<void> {
    const { accountId, owner } = claim;
    const response = this.secrets.seal(JSON.stringify(answer), placeOf(claim));
    await keepAnswer(accountId, claim, owner, { status: answer.status, response }, this.unitOfWork.autocommit);
  }

  /**
   * Lets another request have the key. One under which a record was made stays, to be answered from that record; only
   * where the outcome proves that the record came to nothing the key is free again.
   */
  async release(claim: Claim, recordIsVoid: boolean): Promise<void> {
    const { accountId, owner } = claim;
    const { autocommit } = this.unitOfWork;
    if (!(await dropKey(accountId, claim, owner, recordIsVoid, autocommit))) {
      await endLease(accountId, claim, owner, autocommit);
    }
  }

  private open(key: AccountKey, response: string): StoredAnswer {
    return JSON.parse(this.secrets.open(response, placeOf(key))) as StoredAnswer;
  }
}

const placeOf = ({ accountId, family, key }: AccountKey): SecretPlace => ({
  accountId,
  rowId: `${family}/${key}`,
  column: 'idempotency_keys.response',
});
