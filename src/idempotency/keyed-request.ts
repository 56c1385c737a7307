import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../auth/caller.js';
import { DomainError } from '../errors/domain-error.js';
import { errorResponse } from '../http/error.filter.js';
import { AnsweredError } from '../http/error-response.js';
import { SECOND } from '../values/clock.js';
import type { RecordId } from '../values/record-id.js';
import { fingerprintOf } from './fingerprint.js';
import type { Claim, IdempotencyKeysService } from './idempotency-keys.service.js';
import { KEY_HEADER, readKey } from './key-header.js';
import { errorAgain, isKept, REPLAYED, type StoredAnswer, storedError } from './stored-answer.js';

/** How often a request at work renews its lease, milliseconds. */
const RENEW_EVERY_MS = 20 * SECOND;

/** How a route answers. */
export interface Handling {
  run(): Promise<unknown>;
  /** Answers from the record that a dead owner of the key made; null where the route makes none. */
  readonly recover: ((recordId: RecordId) => Promise<unknown>) | null;
  /** What the key stands for beside method and path. */
  payload(request: FastifyRequest): unknown;
}

/** A request that carries an Idempotency-Key, from the moment its guards have passed. */
export class KeyedRequest {
  private readonly logger = new Logger(KeyedRequest.name);
  private recorded: Claim | null = null;

  constructor(
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
    private readonly keys: IdempotencyKeysService,
  ) {}

  /**
   * Answers the request: from what is stored, from the record of an owner who died, or by running the handler, whose
   * outcome is stored then.
   *
   * @returns the body as JSON
   * @throws DomainError `bad_request` for the key itself; what {@link IdempotencyKeysService.claim} and the handler throw; errors
   * that were stored
   */
  async answer(handling: Handling): Promise<string> {
    const { method, url, raw } = this.request;
    const { accountId, keyFamily: family } = callerOf(this.request);
    const key = readKey(raw.headersDistinct[KEY_HEADER] ?? []);
    const body = await handling.payload(this.request);
    const found = await this.keys.claim({ accountId, family, key }, fingerprintOf({ method, url, body }));
    if ('answer' in found) return this.replay(found.answer);
    if (handling.recover !== null) this.recorded = found.claim;
    return this.work(found.claim, handling);
  }

  /** The claim, once there is one, on a route that can answer from the record it makes. */
  get recordedClaim(): Claim | null {
    return this.recorded;
  }

  private replay(answer: StoredAnswer): string {
    if (answer.status >= 400) throw new AnsweredError(errorAgain(answer));
    this.reply.headers(REPLAYED);
    return this.json(answer.body);
  }

  private async work(claim: Claim, handling: Handling): Promise<string> {
    const { recordId } = claim;
    const { recover } = handling;
    const recovering = recordId !== null && recover !== null;
    const lease = this.keepLease(claim);
    try {
      const body = JSON.stringify(await (recovering ? recover(recordId) : handling.run()));
      await lease.end();
      await this.settle(claim, { status: this.reply.statusCode, headers: {}, body });
      if (recovering) this.reply.headers(REPLAYED);
      return this.json(body);
    } catch (error) {
      await lease.end();
      const answer = storedError(errorResponse(error));
      await this.settle(claim, answer, isProvenUnsent(error));
      throw recovering ? new AnsweredError(errorAgain(answer)) : error;
    }
  }

  /** A failure here does not change the answer: the lease runs out, and the record, if any, tells the rest. */
  private async settle(claim: Claim, answer: StoredAnswer, recordIsVoid = false): Promise<void> {
    try {
      if (isKept(answer.status)) await this.keys.keep(claim, answer);
      else await this.keys.release(claim, recordIsVoid);
    } catch (error) {
      this.logger.warn(`the answer to request ${this.request.id} was not kept: ${(error as Error).message}`);
    }
  }

  private json(body: string): string {
    this.reply.header('content-type', 'application/json; charset=utf-8');
    return body;
  }

  private keepLease(claim: Claim): { end(): Promise<void> } {
    let renewing: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      // One that fails is made up for by the next; the lease outlasts two of them.
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

/** Only this error says that a message, though stored, was provably not sent. */
const isProvenUnsent = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'network_unavailable';

const underWay = new AsyncLocalStorage<KeyedRequest>();

/** Runs `work`, and all that it awaits, as part of a request with a key. */
export const asPartOf = <T>(request: KeyedRequest, work: () => T): T => underWay.run(request, work);

/** The request with a key that this code runs for, if any. */
export const keyedRequest = (): KeyedRequest | undefined => underWay.getStore();
