import { Injectable, Logger } from '@nestjs/common';
import type { BusinessPhone } from '../accounts/business-phones.service.js';
import { type CopyIds, NetworkCopies } from '../media/network-copies.js';
import { withCopyIds } from '../media/upload-mark.js';
import { type Acceptance, MessagingNetwork } from '../network/network.js';
import { mayMeanForgottenMedia, plainWords } from '../network/network-codes.js';
import { NetworkRefusal, NetworkUnreachable } from '../network/network-error.js';
import type { SendOrigin } from '../network/send-outcomes.js';
import { LearnedIdentitiesService } from '../people/learned-identities.service.js';
import type { SentContact } from '../people/learned-identity.js';
import { withoutCode } from '../templates/rendering/one-time-code.js';
import { TemplateCatalogService } from '../templates/rendering/template-catalog.service.js';
import { SECOND } from '../values/clock.js';
import { endsWithin } from '../values/ends-within.js';
import type { RecordId } from '../values/record-id.js';
import { judgeSend, retryIn, type SendVerdict, type Series } from './judge.js';
import { healthOf, type NetworkHealth, type NetworkResult } from './slots/network-health.js';
import { PhoneWaits } from './slots/phone-waits.js';
import { Stops } from './stops.js';

/** How long a single message that is stored waits for its file, which was uploaded a moment ago. */
const SINGLE_UPLOAD_MS = 20 * SECOND;

const NOT_UPLOADED = new NetworkUnreachable('the file is not uploaded yet');

/** A committed message in the network's form. */
export interface Outgoing {
  readonly phone: BusinessPhone;
  readonly token: string;
  /** The request's body, with recipient and our id; a string is JSON already. */
  readonly body: Readonly<Record<string, unknown>> | string;
  /** The one-time code in the body, kept out of errors; null for none. */
  readonly code: string | null;
  /** The uploaded files that the body names. */
  readonly fileIds?: readonly RecordId[];
  readonly origin: SendOrigin;
  /** Whether the phone waits and this tries it: whoever took the turn to probe says what came of it. */
  readonly isProbe?: boolean;
}

/** A message of a contact that was read. */
export interface ReadReceipt {
  readonly phone: BusinessPhone;
  readonly token: string;
  readonly networkMessageId: string;
  /** Whether the contact sees that an answer is being written: until it comes, or for 25 seconds. */
  readonly typing: boolean;
}

/** The network's answer to an attempt, and what it means. */
export interface Attempt {
  readonly verdict: SendVerdict;
  readonly result: NetworkResult;
  readonly health: NetworkHealth;
  /** Whether it uses up none of the recipient's attempts: the network was failing everybody. */
  readonly isFree: boolean;
}

/**
 * One attempt to send, for single sends, automatic replies, campaigns and read receipts alike; and what its answer teaches
 * a single send. A campaign learns from the answers of a whole group, when their outcomes are stored.
 */
@Injectable()
export class Attempts {
  private readonly logger = new Logger(Attempts.name);

  constructor(
    private readonly network: MessagingNetwork,
    private readonly waits: PhoneWaits,
    private readonly people: LearnedIdentitiesService,
    private readonly templates: TemplateCatalogService,
    private readonly stops: Stops,
    private readonly copies: NetworkCopies,
  ) {}

  /**
   * Writes a message to the network, once, judges the answer, and notes what it says about the network. Never throws.
   *
   * @param series where the message is after this attempt; called when the answer is there
   */
  async make(outgoing: Outgoing, series: () => Series): Promise<Attempt> {
    const { phone, token, body, code, origin, fileIds = [], isProbe = false } = outgoing;
    const ids = fileIds.length === 0 ? null : await this.copyIds(outgoing, fileIds);
    if (ids instanceof Error) return { ...unsent(series(), ids), isFree: true };
    const given = ids === null || typeof body === 'string' ? body : JSON.stringify(body);
    const written = ids === null ? given : withCopyIds(String(given), ids);
    const result = await this.write(phone, token, written, code, origin);
    const attempt = this.judged(phone, result, { isProbe, isSingle: origin !== 'campaign' }, series);
    if (ids !== null && written !== given && mayHaveForgotten(result) && (await this.copies.refused(phone, ids))) {
      return { ...attempt, verdict: retryIn(0), isFree: true };
    }
    return attempt;
  }

  /**
   * Tells the network, once, that a message was read, and with `typing` that an answer is being written. Judged as a
   * message is. Takes nothing of the phone's throughput. Never throws.
   */
  async markRead(
    { phone, token, networkMessageId, typing }: ReadReceipt,
    series: () => Series,
  ): Promise<Pick<Attempt, 'verdict' | 'result'>> {
    const indicator = typing ? { typing_indicator: { type: 'text' } } : {};
    const body = { messaging_product: 'whatsapp', status: 'read', message_id: networkMessageId, ...indicator };
    const path = `/${phone.phoneNumberId}/messages`;
    let result: NetworkResult;
    try {
      await this.network.call({ method: 'POST', path, token, body });
      result = { acceptance: { networkMessageId, waId: null, userId: null, held: false } };
    } catch (error) {
      result = { error };
    }
    return this.judged(phone, result, { isProbe: false, isSingle: true }, series);
  }

  private judged(
    phone: BusinessPhone,
    result: NetworkResult,
    { isProbe, isSingle }: { readonly isProbe: boolean; readonly isSingle: boolean },
    series: () => Series,
  ): Attempt {
    const health = healthOf(result);
    if (!isProbe) this.waits.heard(phone, health, isSingle);
    const isFailing = health?.state === 'fails' && (isProbe || this.waits.isWaiting(phone));
    const isFree = isFailing || health?.state === 'unreachable';
    return { verdict: judgeSend({ ...series(), isFree }, result), result, health, isFree };
  }

  /**
   * The network's ids of the message's files. A campaign does not wait in its slot for a file that has to be uploaded: its
   * run does, before the next one.
   */
  private async copyIds({ phone, origin }: Outgoing, fileIds: readonly RecordId[]): Promise<CopyIds | Error> {
    const known = this.copies.idsFor(phone, fileIds);
    if (known !== null || origin === 'campaign') return known ?? NOT_UPLOADED;
    try {
      await endsWithin(this.copies.ensure(phone, fileIds), SINGLE_UPLOAD_MS);
      return this.copies.idsFor(phone, fileIds) ?? NOT_UPLOADED;
    } catch (error) {
      return new NetworkUnreachable(`the file could not be uploaded: ${(error as Error).message}`, { cause: error });
    }
  }

  private async write(
    { phoneNumberId }: BusinessPhone,
    token: string,
    body: Outgoing['body'],
    code: string | null,
    origin: SendOrigin,
  ): Promise<NetworkResult> {
    try {
      return { acceptance: await this.network.send(phoneNumberId, token, body, origin) };
    } catch (error) {
      return { error: withoutCode(error, code) };
    }
  }

  /** Learns from an acceptance who the contact is. In the background, and nothing is lost if the process dies. */
  learnPerson(sent: SentContact, acceptance: Acceptance): void {
    this.people.learnAnswer(sent, acceptance);
  }

  /**
   * Obeys a refusal of a single message that stops more than the message: running campaigns of its kind end, and a
   * template is not sent again until the network allows it. Logs a failure instead of throwing: the caller gets the
   * message's outcome.
   *
   * @param templateId null for a message without a template
   */
  async obeyStop(
    { accountId, id: businessPhoneId }: BusinessPhone,
    messageId: string,
    templateId: string | null,
    stop: NetworkRefusal,
  ): Promise<void> {
    const error = { code: stop.code, message: plainWords(stop) };
    const { errorClass } = stop;
    this.stops.stop([{ accountId, messageId, businessPhoneId, campaignId: null, error, errorClass }]);
    if (errorClass !== 'stop_template' || templateId === null) return;
    try {
      await this.templates.markUnavailable(accountId, templateId, stop.code);
    } catch (failure) {
      this.logger.warn(`could not mark a template as unavailable: ${(failure as Error).message}`);
    }
  }
}

/** What comes of a message that was not written. It says nothing about the network. */
const unsent = (series: Series, error: Error): Omit<Attempt, 'isFree'> => {
  const result = { error };
  return { verdict: judgeSend({ ...series, isFree: true }, result), result, health: null };
};

const mayHaveForgotten = (result: NetworkResult): boolean =>
  'error' in result && result.error instanceof NetworkRefusal && mayMeanForgottenMedia(result.error.code);
