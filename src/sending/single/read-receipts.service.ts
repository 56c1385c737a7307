import { Injectable } from '@nestjs/common';
import { BusinessPhonesService } from '../../accounts/business-phones.service.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { badRequest, DomainError } from '../../errors/domain-error.js';
import { NetworkOutcomeUnknown, type NetworkRefusal } from '../../network/network-error.js';
import type { ContactRef } from '../../people/contact-ref.js';
import { DAY, now } from '../../values/clock.js';
import type { RecordId } from '../../values/record-id.js';
import { type Attempt, Attempts, type ReadReceipt } from '../attempts.js';
import { SINGLE_PATIENCE } from '../judge.js';
import { findNewestInbound } from './newest-inbound.queries.js';

/** How old a message may be that the network marks as read, days. */
const MARKED_WITHIN_DAYS = 30;

/** Whose newest message was read. */
export interface ReadOrder {
  readonly contact: ContactRef;
  /** Null: on any phone. */
  readonly wabaPhoneId: RecordId | null;
  /** Whether the contact sees that an answer is being written. */
  readonly typing: boolean;
}

/** Tells the network that messages of contacts were read. Nothing of it is stored. */
@Injectable()
export class ReadReceiptsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhonesService,
    private readonly attempts: Attempts,
  ) {}

  /**
   * Marks the contact's newest message as read, and so all before it.
   *
   * @returns its id
   * @throws DomainError 400 when there is none of the last 30 days, 403 for a foreign phone, 400 `network_rejected`, 503
   * `network_unavailable`, or 504 `network_timeout`
   */
  async markRead(accountId: string, { contact, wabaPhoneId, typing }: ReadOrder): Promise<RecordId> {
    if (wabaPhoneId !== null) await this.phones.choose(accountId, wabaPhoneId);
    const since = new Date(now().getTime() - MARKED_WITHIN_DAYS * DAY);
    const reads = this.unitOfWork.reads(accountId);
    const newest = await findNewestInbound(accountId, contact, wabaPhoneId, since, reads);
    if (newest === null) throw nothingToMark(contact);
    const phone = await this.phones.choose(accountId, newest.businessPhoneId);
    const token = await this.phones.token(phone);
    const { networkMessageId } = newest;
    const { result, verdict } = await this.attempt({ phone, token, networkMessageId, typing });
    if (!('error' in result)) return newest.id;
    const { report, givenUp, stop } = verdict;
    if (report?.error === undefined) throw result.error instanceof NetworkOutcomeUnknown ? unanswered() : result.error;
    if (givenUp !== null) throw unavailable(givenUp.reason, givenUp.retryAfterMs);
    if (stop !== null) await this.attempts.obeyStop(phone, newest.id, null, stop);
    throw refusedBy(report.error.message, result.error as NetworkRefusal);
  }

  /** Tries until the judge has nothing to try again. */
  private async attempt(receipt: ReadReceipt): Promise<Pick<Attempt, 'verdict' | 'result'>> {
    const startedAt = performance.now();
    for (let attempts = 1; ; attempts += 1) {
      const series = () => ({ attempts, elapsedMs: performance.now() - startedAt, patience: SINGLE_PATIENCE });
      const attempt = await this.attempts.markRead(receipt, series);
      const { retryAfterMs } = attempt.verdict;
      if (retryAfterMs === null) return attempt;
      await new Promise((resolve) => setTimeout(resolve, retryAfterMs));
    }
  }
}

const nothingToMark = ({ value }: ContactRef): DomainError =>
  badRequest(
    `contact ${value} has sent no message in the last ${MARKED_WITHIN_DAYS} days that could be marked as read`,
  );

const unanswered = (): DomainError =>
  new DomainError('network_timeout', 'the network did not say whether it marked the message as read. Try again');

const unavailable = (reason: string, retryAfterMs: number): DomainError =>
  new DomainError('network_unavailable', `the message was not marked as read: ${reason}`, {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) },
  });

const refusedBy = (reason: string, cause: NetworkRefusal): DomainError =>
  new DomainError('network_rejected', `the message was not marked as read: ${reason}`, { cause });
