import { Injectable } from '@nestjs/common';
import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import { BusinessPhonesService } from '../../accounts/business-phones.service.js';
import { recipientOf } from '../../contacts/contact-ref.js';
import { DomainError } from '../../errors/domain-error.js';
import { MESSAGE_ERRORS } from '../../errors/error-catalog.js';
import { BUSINESS_LOCKED, THROUGHPUT_EXCEEDED } from '../../network/error-classes.js';
import { type Acceptance, MessagingNetwork } from '../../network/network.js';
import { NetworkOutcomeUnknown, NetworkRefusal, NetworkUnreachable } from '../../network/network-error.js';
import { plainWords } from '../../network/refusal-texts.js';
import { Throughput } from '../../network/throughput.js';
import { now, SECOND } from '../../values/clock.js';
import type { MessageError } from '../message-event.js';
import { lostAnswer, networkRejected, notSent } from '../messages.errors.js';
import { untouchedMessage } from '../reports/message-report.js';
import { OutcomeRecorder } from './outcome-recorder.js';
import { SINGLE_SEND_TIMEOUT_MS, sendRetryDelayMs } from './retry-rules.js';
import type { SentMessage } from './sent-message.js';
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
    private readonly network: MessagingNetwork,
    private readonly outcomes: OutcomeRecorder,
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
      await this.fail(phone.accountId, intent.id, { code, message: reason });
      throw error;
    }
  }

  private async deliver(message: IntendedMessage, intent: StoredIntent, token: string): Promise<SentMessage> {
    const { phone } = message;
    if (phone.restriction !== null) return this.refuseRestricted(phone, intent, phone.restriction);
    const { id: messageId, contactId } = intent;
    const acceptance = await this.attempt(message, intent, token);
    const at = now();
    await this.outcomes.acceptance({
      message: untouchedMessage({
        accountId: phone.accountId,
        messageId,
        contactId,
        contact: intent.contact,
        contactName: intent.contactName,
        businessPhoneId: phone.id,
      }),
      report: {
        accountId: phone.accountId,
        messageId,
        kind: acceptance.held ? 'held' : 'accepted',
        at,
        networkMessageId: acceptance.networkMessageId,
      },
    });
    await this.intents.storeWaId(message, intent, acceptance);
    return { messageId, contactId, at };
  }

  /** Retries until the network accepts or finally refuses the message, or the time is up. */
  private async attempt(message: IntendedMessage, intent: StoredIntent, token: string): Promise<Acceptance> {
    const { phone } = message;
    const deadline = performance.now() + SINGLE_SEND_TIMEOUT_MS;
    const body = { ...message.body, ...recipientOf(message.contact), biz_opaque_callback_data: intent.id };
    for (let attempt = 1; ; attempt += 1) {
      const remainingMs = Math.max(0, deadline - performance.now());
      const admitted = await this.prepare(phone, intent, () => this.throughput.admitSingle(phone, remainingMs));
      if (!admitted) return this.giveUp(phone, intent, THROUGHPUT_USED_UP);
      try {
        return await this.network.send(phone.phoneNumberId, token, body, 'single');
      } catch (error) {
        if (error instanceof NetworkUnreachable) return this.giveUp(phone, intent, unreachable(error));
        if (error instanceof NetworkOutcomeUnknown) {
          await this.intents.settleLater(message, intent);
          throw lostAnswer(intent.id);
        }
        if (!(error instanceof NetworkRefusal)) throw error;
        if (error.errorClass !== 'retry') return this.refuse(message, intent, error);
        if (error.code === THROUGHPUT_EXCEEDED) {
          await this.prepare(phone, intent, () => this.throughput.slowDown(phone));
        }
        const delayMs = sendRetryDelayMs(error, attempt);
        if (performance.now() + delayMs > deadline) return this.giveUp(phone, intent, throttled(error, delayMs));
        await new Promise((resolve) => setTimeout(resolve, delayMs));
      }
    }
  }

  /** Fails a message that was provably not sent; the caller may retry. */
  private async giveUp(
    phone: BusinessPhone,
    intent: StoredIntent,
    { reason, error, retryAfterMs }: NotSent,
  ): Promise<never> {
    await this.fail(phone.accountId, intent.id, error);
    throw notSent(intent.id, reason, retryAfterMs);
  }

  private async refuse(message: IntendedMessage, intent: StoredIntent, refusal: NetworkRefusal): Promise<never> {
    const reason = plainWords(refusal);
    await this.fail(message.phone.accountId, intent.id, { code: refusal.code, message: reason });
    await this.intents.stopTemplate(message, refusal);
    throw networkRejected(intent.id, reason, refusal);
  }

  /** The network has announced that it refuses this business, so we refuse without calling it. */
  private async refuseRestricted(phone: BusinessPhone, intent: StoredIntent, restriction: string): Promise<never> {
    const reason = `the network has blocked this business from sending: ${restriction} (${BUSINESS_LOCKED})`;
    await this.fail(phone.accountId, intent.id, { code: BUSINESS_LOCKED, message: reason });
    throw networkRejected(intent.id, reason);
  }

  private async fail(accountId: string, messageId: string, error: MessageError): Promise<void> {
    await this.outcomes.single({ accountId, messageId, kind: 'refused', at: now(), error });
  }
}

/** Why a message was provably not sent. */
interface NotSent {
  /** For the caller. */
  readonly reason: string;
  /** For the message's record. */
  readonly error: MessageError;
  readonly retryAfterMs: number;
}

const unreachable = ({ message: reason }: NetworkUnreachable): NotSent => ({
  reason,
  error: MESSAGE_ERRORS.networkUnavailable,
  retryAfterMs: SECOND,
});
const throttled = (refusal: NetworkRefusal, retryAfterMs: number): NotSent => ({
  reason: plainWords(refusal),
  error: MESSAGE_ERRORS.retriesExhausted,
  retryAfterMs,
});
const THROUGHPUT_USED_UP: NotSent = {
  reason: 'the business phone has used up its throughput',
  error: MESSAGE_ERRORS.retriesExhausted,
  retryAfterMs: SECOND,
};
