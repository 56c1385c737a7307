import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../auth/caller.js';
import { DomainError } from '../errors/domain-error.js';
import { errorResponse } from '../http/error.filter.js';
import { ReplayedError } from '../http/error-response.js';
import { SECOND } from '../values/clock.js';
import type { RecordId } from '../values/record-id.js';
import { fingerprintOf, pathOf } from './fingerprint.js';
import type { ClaimedKey, IdempotencyKeysService } from './idempotency-keys.service.js';
import { KEY_HEADER, readKey } from './key-header.js';
import { type Answer, isKept, REPLAYED, replayedError, storedError } from './stored-answer.js';

/** Milliseconds between two lease renewals of a running request. */
const RENEW_EVERY_MS = 20 * SECOND;

/** Milliseconds between two attempts to store an answer that could not be stored in time, and how many are made. */
const LATE_TRY_EVERY_MS = SECOND;
const MAX_LATE_TRIES = 60;

/** How a route handles a keyed request. */
export interface Handling {
  run(): Promise<unknown>;
  /** Answers from the record that a dead owner of the key created; null when the route creates no record. */
  readonly recover: ((recordId: RecordId) => Promise<unknown>) | null;
  /** The payload that the key identifies, besides method and path. */
  payload(request: FastifyRequest): unknown;
  /** Fields of the answer that hold a key or a secret. */
  readonly shownOnce: readonly string[];
}

/** Answers a request with an Idempotency-Key, once its guards have passed. */
export class KeyedRequest {
  private readonly logger = new Logger(KeyedRequest.name);
  private recorded: ClaimedKey | null = null;

  constructor(
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
    private readonly keys: IdempotencyKeysService,
  ) {}

  /**
   * Answers the request from the stored answer, from the record of a dead owner, or by running the handler and storing
   * its outcome.
   *
   * @returns the body as JSON
   * @throws DomainError `bad_request` for a malformed key; errors of {@link IdempotencyKeysService.claim} and of the
   * handler; stored errors
   */
  async answer(handling: Handling): Promise<string> {
    const { method, url, raw } = this.request;
    const { accountId, family } = callerOf(this.request);
    const key = readKey(raw.headersDistinct[KEY_HEADER] ?? []);
    const body = await handling.payload(this.request);
    const found = await this.keys.claim({ accountId, family, key }, await fingerprintOf({ method, url, body }));
    if ('answer' in found) return this.replay(found.answer);
    if (handling.recover !== null) this.recorded = found.claim;
    return this.work(found.claim, handling);
  }

  /** The claim, if the route can answer from the record it creates. */
  get recordedClaim(): ClaimedKey | null {
    return this.recorded;
  }

  private replay(answer: Answer): string {
    if (answer.status >= 400) throw new ReplayedError(replayedError(answer));
    this.reply.headers(REPLAYED);
    return this.json(answer.body);
  }

  private async work(claim: ClaimedKey, handling: Handling): Promise<string> {
    const { recordId } = claim;
    const { recover } = handling;
    const recovering = recordId !== null && recover !== null;
    const lease = this.keepLease(claim);
    try {
      const body = JSON.stringify(await (recovering ? recover(recordId) : handling.run()));
      await lease.end();
      await this.settle(claim, { status: this.reply.statusCode, headers: {}, body }, handling);
      if (recovering) this.reply.headers(REPLAYED);
      return this.json(body);
    } catch (error) {
      await lease.end();
      const answer = storedError(errorResponse(error));
      await this.settle(claim, answer, handling, isProvenUnsent(error));
      throw recovering ? new ReplayedError(replayedError(answer)) : error;
    }
  }

  /** A failure here does not change the answer: an answer is stored later, and any other key is freed by its lease. */
  private async settle(
    claim: ClaimedKey,
    outcome: Answer,
    { shownOnce }: Handling,
    recordIsVoid = false,
  ): Promise<void> {
    const { method, url } = this.request;
    const answer = { ...outcome, request: { method, path: pathOf(url) } };
    const keep = () => this.keys.keep(claim, answer, shownOnce);
    try {
      if (isKept(answer.status)) await keep();
      else await this.keys.release(claim, recordIsVoid);
    } catch (error) {
      this.logger.warn(`could not store the answer to request ${this.request.id}: ${(error as Error).message}`);
      if (isKept(answer.status)) void keepLater(keep);
    }
  }

  private json(body: string): string {
    this.reply.header('content-type', 'application/json; charset=utf-8');
    return body;
  }

  private keepLease(claim: ClaimedKey): { end(): Promise<void> } {
    let renewing: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      // The next renewal makes up for a failed one: the lease outlasts two of them.
      renewing = this.keys.renew(claim).catch(() => undefined);
    }, RENEW_EVERY_MS);
    timer.unref();
    return {
      async end() {
        clearInterval(timer);
        await renewing;
      },
    };
  }
}

/**
 * Goes on trying to store an answer that is already on its way to the caller. If it is never stored, a repeat is answered
 * from the record, where a secret of the answer cannot be found.
 */
async function keepLater(keep: () => Promise<void>): Promise<void> {
  for (let tries = 0; tries < MAX_LATE_TRIES; tries += 1) {
    await setTimeout(LATE_TRY_EVERY_MS, undefined, { ref: false });
    const kept = await keep().then(
      () => true,
      () => false,
    );
    if (kept) return;
  }
}

/** Only this error proves that a stored message was not sent. */
const isProvenUnsent = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'network_unavailable';

const currentRequest = new AsyncLocalStorage<KeyedRequest>();

/** Runs `work`, and everything it awaits, on behalf of a keyed request. */
export const runWithKeyedRequest = <T>(request: KeyedRequest, work: () => T): T => currentRequest.run(request, work);

/** The keyed request that this code runs for, if any. */
export const keyedRequest = (): KeyedRequest | undefined => currentRequest.getStore();
