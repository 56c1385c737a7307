import { Injectable } from '@nestjs/common';
import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import { BusinessPhonesService } from '../../accounts/business-phones.service.js';
import { refusesSome, refusing } from '../../accounts/restrictions.js';
import { DomainError } from '../../errors/domain-error.js';
import { MESSAGE_ERRORS } from '../../errors/error-catalog.js';
import type { SentMessage } from '../../messages/history/sent-message.js';
import type { MessageError } from '../../messages/message-event.js';
import { lostAnswer, networkRejected, notSent } from '../../messages/messages.errors.js';
import { untouchedMessage } from '../../messages/outcomes/message-report.js';
import { BUSINESS_LOCKED, UTILITY_LIMITED } from '../../network/network-codes.js';
import { NetworkOutcomeUnknown, type NetworkRefusal } from '../../network/network-error.js';
import { recipientOf } from '../../people/contact-ref.js';
import { now, SECOND } from '../../values/clock.js';
import { type Attempt, Attempts, type Outgoing } from '../attempts.js';
import { type SendVerdict, SINGLE_PATIENCE, SINGLE_SEND_TIMEOUT_MS } from '../judge.js';
import { SendLedger } from '../ledger/send-ledger.js';
import { OutcomeRecorder } from '../outcome-recorder.js';
import { Throughput } from '../slots/throughput.js';
import { type IntendedMessage, SingleIntentsService, type StoredIntent } from './single-intents.service.js';

/**
 * Sends a single message within the caller's request, at most once: the intent is committed first, and a message with
 * an unknown outcome is never sent again.
 */
@Injectable()
export class SingleSenderService {
  constructor(
    private readonly intents: SingleIntentsService,
    private readonly phones: BusinessPhonesService,
    private readonly throughput: Throughput,
    private readonly attempts: Attempts,
    private readonly outcomes: OutcomeRecorder,
    private readonly ledger: SendLedger,
  ) {}

  /**
   * Stores and sends a message.
   *
   * @throws DomainError `network_rejected` (400), `network_unavailable` (503) or `network_timeout` (504), each with
   * `X-Message-Id`; before anything is stored, what {@link SingleIntentsService.store} throws, and 503 `unavailable`
   * when the phone's token cannot be decrypted
   */
  async send(message: IntendedMessage): Promise<SentMessage> {
    const token = await this.phones.token(message.phone);
    return this.deliver(message, await this.intents.store(message), token);
  }

  /**
   * Sends a message whose intent the caller has committed with {@link SingleIntentsService.storeWithin}.
   *
   * @throws DomainError as {@link send}
   */
  async sendStored(message: IntendedMessage, intent: StoredIntent): Promise<SentMessage> {
    return this.deliver(message, intent, await this.tokenFor(message.phone, intent));
  }

  private tokenFor(phone: BusinessPhone, intent: StoredIntent): Promise<string> {
    return this.prepare(phone, intent, () => this.phones.token(phone));
  }

  /** Runs a step that precedes the send. If it throws, the message was provably not sent and is marked as failed. */
  private async prepare<T>(phone: BusinessPhone, intent: StoredIntent, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { code, message } = MESSAGE_ERRORS.networkUnavailable;
      const reason = error instanceof DomainError ? error.message : message;
      await this.refuse(phone.accountId, intent.id, { code, message: reason });
      throw error;
    }
  }

  private async deliver(message: IntendedMessage, intent: StoredIntent, token: string): Promise<SentMessage> {
    const { phone } = message;
    await this.refuseRestricted(message, intent);
    const { verdict, result } = await this.attempt(message, intent, token);
    if ('error' in result) return this.fail(message, intent, verdict, result.error);
    const { id: messageId, contactId } = intent;
    const { accountId } = phone;
    const at = now();
    const sent = untouchedMessage({
      accountId,
      messageId,
      contactId,
      contact: intent.contact,
      waId: intent.waId,
      contactName: intent.contactName,
      businessPhoneId: phone.id,
      reference: message.extras.reference,
    });
    const { held, networkMessageId } = result.acceptance;
    await this.outcomes.acceptance({
      message: sent,
      report: { accountId, messageId, kind: held ? 'held' : 'accepted', at, networkMessageId },
    });
    this.attempts.learnPerson(sent, result.acceptance);
    return { messageId, contactId, at };
  }

  private admit(phone: BusinessPhone, intent: StoredIntent, patienceMs: number): Promise<boolean> {
    return this.prepare(phone, intent, () => this.throughput.admitSingle(phone, patienceMs));
  }

  /** Tries until the judge has nothing to try again. */
  private async attempt(message: IntendedMessage, intent: StoredIntent, token: string): Promise<Attempt> {
    const { phone } = message;
    const code = message.template?.code ?? null;
    const startedAt = performance.now();
    const body = { ...message.body, ...recipientOf(intent.recipient), biz_opaque_callback_data: intent.id };
    const outgoing: Outgoing = { phone, token, body, code, fileIds: message.fileIds ?? [], origin: 'single' };
    for (let attempts = 1; ; attempts += 1) {
      const remainingMs = Math.max(0, startedAt + SINGLE_SEND_TIMEOUT_MS - performance.now());
      if (!this.throughput.isFree(phone) && !(await this.admit(phone, intent, remainingMs))) {
        await this.refuse(phone.accountId, intent.id, MESSAGE_ERRORS.retriesExhausted);
        throw notSent(intent.id, 'the business phone has used up its throughput', SECOND);
      }
      const series = () => ({ attempts, elapsedMs: performance.now() - startedAt, patience: SINGLE_PATIENCE });
      const attempt = await this.attempts.make(outgoing, series);
      const { verdict } = attempt;
      if (verdict.tooFast) await this.prepare(phone, intent, () => this.throughput.slowDown(phone));
      const { retryAfterMs } = verdict;
      if (retryAfterMs === null) return attempt;
      await new Promise((resolve) => setTimeout(resolve, retryAfterMs));
    }
  }

  /** Records that the network has not accepted a message, or that nobody knows, and tells the caller. */
  private async fail(
    { phone, template }: IntendedMessage,
    { id }: StoredIntent,
    { report, givenUp, stop }: SendVerdict,
    error: unknown,
  ): Promise<never> {
    const { accountId } = phone;
    if (report?.error === undefined) {
      if (error instanceof NetworkOutcomeUnknown) {
        await this.ledger.settleLater(accountId, id);
        throw lostAnswer(id);
      }
      throw error;
    }
    await this.refuse(accountId, id, report.error);
    if (givenUp !== null) throw notSent(id, givenUp.reason, givenUp.retryAfterMs);
    const refusal = error as NetworkRefusal;
    if (stop !== null) await this.attempts.obeyStop(phone, id, template?.id ?? null, stop);
    throw networkRejected(id, report.error.message, refusal);
  }

  /**
   * Refuses what the network has announced to refuse, without calling it.
   *
   * @throws DomainError `network_rejected` (400)
   */
  private async refuseRestricted({ phone, template }: IntendedMessage, intent: StoredIntent): Promise<void> {
    if (!refusesSome(phone.restrictions)) return;
    const category = template?.category ?? null;
    const isWindowOpen = await this.prepare(phone, intent, () => this.intents.isWindowOpen(phone, intent));
    const restriction = refusing(phone.restrictions, { category, isWindowOpen });
    if (restriction === null) return;
    const { type, reason, until } = restriction;
    const code = type.includes('UTILITY') ? UTILITY_LIMITED : BUSINESS_LOCKED;
    const ends = until === null ? '' : ` until ${until.toISOString()}`;
    const message = `the network has restricted this business${ends}: ${reason} (${type}, ${code})`;
    await this.refuse(phone.accountId, intent.id, { code, message });
    throw networkRejected(intent.id, message);
  }

  /** Marks a message that was provably not sent as failed. */
  private refuse(accountId: string, messageId: string, error: MessageError): Promise<void> {
    return this.outcomes.single({ accountId, messageId, kind: 'refused', at: now(), error });
  }
}
