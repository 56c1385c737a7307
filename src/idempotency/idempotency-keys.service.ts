import { Injectable } from '@nestjs/common';
import type { SealedColumn } from '../database/secrets/sealed-column.js';
import { SecretBox, type SecretPlace } from '../database/secrets/secret-box.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { DomainError, unprocessable } from '../errors/domain-error.js';
import { SECOND } from '../values/clock.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { AnswerRedaction } from './answer-redaction.js';
import { dropKey, endLease, type FamilyKey, findKey, keepAnswer, renewLease, takeKey } from './idempotency.queries.js';
import type { StoredAnswer } from './stored-answer.js';

/** How long an owner keeps a key without renewing its lease, milliseconds. */
const LEASE_MS = 60 * SECOND;
/** Tries for a key that others release while we read it. */
const MAX_TRIES = 3;

/** An idempotency key and whose it is. */
export interface AccountKey extends FamilyKey {
  readonly accountId: RecordId;
}

/** One request's hold on a key. */
export interface Claim extends AccountKey {
  readonly owner: RecordId;
  /** The record that an earlier owner made before it died: the answer is read from it, and nothing runs again. */
  readonly recordId: RecordId | null;
}

/** What a request finds under its key: a claim of its own, or the answer of an earlier request. */
export type Found = { readonly claim: Claim } | { readonly answer: StoredAnswer };

/**
 * Owns idempotency keys: one request at a time holds a key, for as long as it is at work, and its answer is kept for 24
 * hours. A request that was taken for dead can no longer change the key.
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
   * request is at work on it
   */
  async claim(key: AccountKey, fingerprint: Buffer): Promise<Found> {
    const writes = this.unitOfWork.writes(key.accountId);
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const owner = newRecordId();
      const taken = await takeKey(key.accountId, key, { owner, fingerprint, leaseMs: LEASE_MS }, writes);
      if (taken !== null) return { claim: { ...key, owner, recordId: taken.recordId } };
      const found = await findKey(key.accountId, key, writes);
      if (found === null) continue;
      if (!found.fingerprint.equals(fingerprint)) {
        throw unprocessable('this Idempotency-Key was used with another payload; a new request needs a new key');
      }
      if (found.response === null) break;
      const answer = this.open({ ...key, key: found.idempotencyKey }, found.response);
      return { answer: { ...answer, body: await this.redaction.redact(key.accountId, answer.body) } };
    }
    throw new DomainError('conflict', 'a request with this Idempotency-Key is in progress', {
      headers: { 'retry-after': '1' },
    });
  }

  /** Extends the claim by another minute; false when it was lost. */
  renew({ accountId, owner, ...key }: Claim): Promise<boolean> {
    return renewLease(accountId, key, { owner, leaseMs: LEASE_MS }, this.unitOfWork.writes(accountId));
  }

  /** Keeps the answer, encrypted: it may hold a secret. */
  async keep(claim: Claim, answer: StoredAnswer): Promise<void> {
    const { accountId, owner } = claim;
    const response = this.secrets.seal(JSON.stringify(answer), answerPlace(claim));
    await keepAnswer(accountId, claim, owner, { status: answer.status, response }, this.unitOfWork.writes(accountId));
  }

  /**
   * Frees the key for another request. A key under which a record was made stays, to be answered from that record, unless
   * the outcome proves that the record had no effect.
   */
  async release(claim: Claim, recordIsVoid: boolean): Promise<void> {
    const { accountId, owner } = claim;
    const writes = this.unitOfWork.writes(accountId);
    if (!(await dropKey(accountId, claim, owner, recordIsVoid, writes))) {
      await endLease(accountId, claim, owner, writes);
    }
  }

  private open(key: AccountKey, response: string): StoredAnswer {
    return JSON.parse(this.secrets.open(response, answerPlace(key))) as StoredAnswer;
  }
}

/** Where the answer of a key is sealed. */
export const answerPlace = ({ accountId, family, key }: AccountKey): SecretPlace => ({
  accountId,
  rowId: `${family}/${key}`,
  column: 'idempotency_keys.response',
});

/** Where all answers are sealed. */
export const ANSWER_COLUMN: SealedColumn = {
  table: 'idempotency_keys',
  column: 'response',
  key: [
    ['family', 'uuid'],
    ['idempotency_key', 'text'],
  ],
  place: (accountId, [family = '', key = '']) => answerPlace({ accountId, family, key }),
};
