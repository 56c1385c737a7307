import { Injectable } from '@nestjs/common';
import type { SealedColumn } from '../database/secrets/sealed-column.js';
import { SecretBox, type SecretPlace } from '../database/secrets/secret-box.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { DomainError, unprocessable } from '../errors/domain-error.js';
import { SECOND } from '../values/clock.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { AnswerRedaction } from './answer-redaction.js';
import { FingerprintHashesService } from './fingerprint-hashes.service.js';
import {
  claimKey,
  deleteKey,
  endLease,
  type FamilyKey,
  findKey,
  renewLease,
  storeAnswer,
} from './idempotency.queries.js';
import type { IdempotencyKey } from './idempotency-key.entity.js';
import { type Answer, putBack, type ShownOnceValues, type StoredAnswer, takenApart } from './stored-answer.js';

/** Milliseconds an owner holds a key without renewing its lease. */
const LEASE_MS = 60 * SECOND;
/** Attempts to claim a key that others release while we read it. */
const MAX_TRIES = 3;

/** An idempotency key and its account. */
export interface AccountKey extends FamilyKey {
  readonly accountId: RecordId;
}

/** One request's hold on a key. */
export interface ClaimedKey extends AccountKey {
  readonly owner: RecordId;
  /** The record an earlier owner created before it died. The answer is read from it, and nothing runs again. */
  readonly recordId: RecordId | null;
}

/** The result of a claim: the key for this request, or the answer of an earlier one. */
export type ClaimResult = { readonly claim: ClaimedKey } | { readonly answer: Answer };

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
    private readonly hashes: FingerprintHashesService,
  ) {}

  /**
   * Claims a key for a request, or returns the answer of an earlier one.
   *
   * @param fingerprint as `fingerprintOf` computes it
   * @throws DomainError `unprocessable_entity` when the key was used with another payload, `conflict` while an earlier
   * request is still in progress; UnreadableSecret (503) when the stored answer, or the key that hashes fingerprints,
   * cannot be decrypted
   */
  async claim(key: AccountKey, fingerprint: Buffer): Promise<ClaimResult> {
    const hashes = this.hashes.of(fingerprint);
    const writes = this.unitOfWork.writes(key.accountId);
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const owner = newRecordId();
      const taken = await claimKey(key.accountId, key, { owner, ...hashes, leaseMs: LEASE_MS }, writes);
      if (taken !== null) return { claim: { ...key, owner, recordId: taken.recordId } };
      const found = await findKey(key.accountId, key, writes);
      if (found === null) continue;
      if (!hashes.accepted.some((hash) => found.fingerprint.equals(hash))) {
        throw unprocessable('this Idempotency-Key was used with another payload; send a new key with a new request');
      }
      if (found.response === null) break;
      const { status, headers, body } = this.open({ ...key, key: found.idempotencyKey }, found.response);
      const redacted = await this.redaction.redact(key.accountId, body);
      return { answer: { status, headers, body: this.withShownOnce(redacted, found) } };
    }
    throw new DomainError('conflict', 'a request with this Idempotency-Key is in progress; try again in 1 s', {
      headers: { 'retry-after': '1' },
    });
  }

  /** Extends the lease by a minute. False when the claim was lost. */
  renew({ accountId, owner, ...key }: ClaimedKey): Promise<boolean> {
    return renewLease(accountId, key, { owner, leaseMs: LEASE_MS }, this.unitOfWork.writes(accountId));
  }

  /**
   * Stores the answer, encrypted, and the values of its marked fields apart from it: exports and erasures read answers,
   * and only {@link claim} reads those. A process of the previous release could not put them back, so answers stay whole
   * until all of those are replaced.
   *
   * @param marked fields of the body that are shown once
   */
  async keep(claim: ClaimedKey, whole: StoredAnswer, marked: readonly string[] = []): Promise<void> {
    const { accountId, owner } = claim;
    const { answer, shownOnce } = this.hashes.isRollingOut
      ? { answer: whole, shownOnce: null }
      : takenApart(whole, marked);
    const sealed = {
      status: answer.status,
      response: this.secrets.seal(JSON.stringify(answer), answerPlace(claim)),
      shownOnce: shownOnce === null ? null : this.secrets.seal(JSON.stringify(shownOnce), shownOncePlace(claim)),
    };
    await storeAnswer(accountId, claim, owner, sealed, this.unitOfWork.writes(accountId));
  }

  /**
   * Frees the key for another request. A key with a record stays, so that it can be answered from the record, unless
   * `recordIsVoid`: the outcome proves that the record had no effect.
   */
  async release(claim: ClaimedKey, recordIsVoid: boolean): Promise<void> {
    const { accountId, owner } = claim;
    const writes = this.unitOfWork.writes(accountId);
    if (!(await deleteKey(accountId, claim, owner, recordIsVoid, writes))) {
      await endLease(accountId, claim, owner, writes);
    }
  }

  private open(key: AccountKey, response: string): StoredAnswer {
    return JSON.parse(this.secrets.open(response, answerPlace(key))) as StoredAnswer;
  }

  private withShownOnce(body: string, found: IdempotencyKey): string {
    if (found.shownOnce === null) return body;
    return putBack(body, JSON.parse(this.secrets.open(found.shownOnce, shownOncePlace(found))) as ShownOnceValues);
  }
}

/** Where the encrypted answer of a key is stored. */
export const answerPlace = ({ accountId, family, key }: AccountKey): SecretPlace => ({
  accountId,
  rowId: `${family}/${key}`,
  column: 'idempotency_keys.response',
});

/** Where the keys and secrets of an answer are stored. Bound to the owner, so that an erasure can rename the key. */
const shownOncePlace = ({
  accountId,
  family,
  owner,
}: Pick<ClaimedKey, 'accountId' | 'family' | 'owner'>): SecretPlace => ({
  accountId,
  rowId: `${family}/${owner}`,
  column: 'idempotency_keys.shown_once',
});

/** The column of all keys and secrets of answers. */
export const SHOWN_ONCE_COLUMN: SealedColumn = {
  table: 'idempotency_keys',
  column: 'shown_once',
  key: [
    ['family', 'uuid'],
    ['owner', 'uuid'],
  ],
  place: (accountId, [family = '', owner = '']) => shownOncePlace({ accountId, family, owner }),
};

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
