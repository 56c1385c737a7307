import { Injectable } from '@nestjs/common';
import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { badRequest, notFound } from '../../errors/domain-error.js';
import type { ContactRef } from '../../people/contact-ref.js';
import { DAY, now } from '../../values/clock.js';
import type { RecordId } from '../../values/record-id.js';
import { findNameable, isActiveAgent } from './send-extras.queries.js';

/** How long the network knows a message that another one names, days. */
const NAMEABLE_DAYS = 30;

/** What a caller may add to a message of any kind. */
export interface SendExtras {
  /** The message that it quotes. */
  readonly replyTo: RecordId | null;
  /** The agent who wrote it. */
  readonly agentUserId: RecordId | null;
  /** Whether it is that agent who sends it, in the console: then they are known to be active. */
  readonly byPerson?: boolean;
  /** What the caller calls it. */
  readonly reference: string | null;
}

/** {@link SendExtras} of which everything exists. */
export interface MessageExtras {
  /** The message that it quotes or reacts to. */
  readonly contextMessageId: RecordId | null;
  readonly agentUserId: RecordId | null;
  readonly byPerson: boolean | null;
  readonly reference: string | null;
}

const NOTHING: SendExtras = { replyTo: null, agentUserId: null, reference: null };
export const NO_EXTRAS: MessageExtras = { contextMessageId: null, agentUserId: null, byPerson: null, reference: null };

/** A message that another one names. */
export interface NamedMessage {
  readonly id: RecordId;
  /** The network's id of it. */
  readonly networkMessageId: string;
}

/** A request body with the message that it quotes. */
export const quoting = (
  body: Readonly<Record<string, unknown>>,
  quoted: NamedMessage | null,
): Readonly<Record<string, unknown>> =>
  quoted === null ? body : { ...body, context: { message_id: quoted.networkMessageId } };

/** A message that is to be sent, as far as what it names depends on it. */
interface Naming {
  readonly phone: BusinessPhone;
  readonly contact: ContactRef;
}

/** Looks up what the extras of a send name. A send without any asks nothing. */
@Injectable()
export class SendExtrasService {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * @returns the extras, and the message to quote
   * @throws DomainError 404 for an agent who is not active in the account's organisation, and as {@link nameable}
   */
  async check(
    naming: Naming,
    { replyTo, agentUserId, byPerson = false, reference }: SendExtras = NOTHING,
  ): Promise<{ readonly extras: MessageExtras; readonly quoted: NamedMessage | null }> {
    if (agentUserId !== null && !byPerson) await this.requireAgent(naming.phone.accountId, agentUserId);
    const quoted = replyTo === null ? null : await this.nameable(naming, replyTo, 'reply_to');
    return { extras: { contextMessageId: replyTo, agentUserId, byPerson: byPerson || null, reference }, quoted };
  }

  /**
   * A message of the conversation that another one may name.
   *
   * @param field of the request, for errors
   * @throws DomainError 404 for a message of another conversation, an older one, a deleted one, and one that the network
   * does not know; 400 for a reaction
   */
  async nameable({ phone, contact }: Naming, id: RecordId, field: string): Promise<NamedMessage> {
    const { accountId, id: businessPhoneId } = phone;
    const since = new Date(now().getTime() - NAMEABLE_DAYS * DAY);
    // By a margin, because the id and the time of a message may come from two clocks.
    const place = { contact, businessPhoneId, since: new Date(since.getTime() - DAY) };
    const message = await findNameable(accountId, id, place, this.unitOfWork.writes(accountId));
    const refused = (why: string): Error => notFound(`${field} must name ${why} (got ${id})`);
    if (message === null || message.createdAt < since) {
      throw refused(`a message of the conversation with this contact, of the last ${NAMEABLE_DAYS} days`);
    }
    const { networkMessageId, messageType, revokedAt } = message;
    if (messageType === 'reaction') throw badRequest(`${field} must not name a reaction (got ${id})`);
    if (revokedAt !== null) throw refused('a message that was not deleted');
    if (networkMessageId === null) throw refused('a message that the network has accepted');
    return { id, networkMessageId };
  }

  private async requireAgent(accountId: string, userId: RecordId): Promise<void> {
    if (await isActiveAgent(accountId, userId, this.unitOfWork.writes(accountId))) return;
    throw notFound(`agent_user_id ${userId} is not an active member of the organisation`);
  }
}
