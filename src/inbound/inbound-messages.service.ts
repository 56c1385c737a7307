import { Injectable, Logger } from '@nestjs/common';
import { type BusinessPhone, BusinessPhones } from '../accounts/business-phones.service.js';
import { countReaction } from '../campaigns/recipient-reaction.queries.js';
import { setConsent } from '../contacts/consent.queries.js';
import { findByIdentity, rememberNetworkUserId } from '../contacts/contact-identity.queries.js';
import { type EnsuredContact, ensureContacts } from '../contacts/ensured-contacts.queries.js';
import { AutomaticAssignment } from '../conversations/automatic-assignment.service.js';
import { isPassing } from '../database/passing-error.js';
import { tryAgain } from '../database/try-again.js';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { fullName } from '../messages/message-event.js';
import { MessageReports } from '../messages/message-reports.service.js';
import { Outbox } from '../outbox/outbox.js';
import { now } from '../values/clock.js';
import { newRecordId } from '../values/record-id.js';
import { AutomaticReplies, type AutomaticReply } from './automatic-replies.service.js';
import type { MessageItem } from './callback.js';
import { recordUnhandled } from './inbound.queries.js';
import { clickedEvent, type OriginalMessage, receivedEvent, replyEvent, type StoredInbound } from './inbound-event.js';
import { consentAsked, type InboundMessage, NETWORK_NOTICE, readInboundMessage } from './inbound-message.js';
import {
  findAnsweredCampaignMessage,
  findConsentWords,
  findQuoted,
  insertInbound,
  isStored,
  takeTurn,
} from './inbound-message.queries.js';

/** Tries when two transactions met head-on. */
const MOST_TRIES = 3;

/** A message that is stored. */
interface TakenIn {
  /** To be sent once this is committed. */
  readonly reply: AutomaticReply | null;
}

/** What a message is an answer to. */
interface Answered {
  /** The message of ours that it replies to (D19). */
  readonly original: OriginalMessage | null;
  /** The button of that message that it taps (D20). */
  readonly tap: InboundMessage['tap'];
}

const STORED_BEFORE: TakenIn = { reply: null };

/**
 * Takes messages of contacts in, each once: contact, thread and window, consent, what it answers, and the events of all
 * that, in one transaction (D19 to D21, D34, D55, D69).
 */
@Injectable()
export class InboundMessages {
  private readonly logger = new Logger(InboundMessages.name);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhones,
    private readonly reports: MessageReports,
    private readonly outbox: Outbox,
    private readonly conversations: AutomaticAssignment,
    private readonly replies: AutomaticReplies,
  ) {}

  /** Resolves when the message is durable; one that cannot be used is recorded as it came. */
  async take(item: MessageItem): Promise<void> {
    const phone = await this.phones.findByPhoneNumberId(item.phoneNumberId);
    const message = readInboundMessage(item, now());
    if (phone === null) return this.keepRaw(item, null, 'unknown business phone');
    if (message === null) return this.keepRaw(item, phone, 'no id or no sender');
    const once = async (): Promise<void> => {
      const taken = await this.unitOfWork.transaction((tx) => this.store(phone, message, tx));
      if (taken === null) return this.keepRaw(item, phone, 'nobody has this business-scoped id');
      this.outbox.announce();
      if (taken.reply !== null) this.replies.send(taken.reply);
    };
    try {
      await tryAgain(once, isPassing, MOST_TRIES);
    } catch (error) {
      if (isPassing(error)) throw error;
      this.logger.error(`an inbound message could not be stored: ${(error as Error).message}`);
      await this.keepRaw(item, phone, 'could not be stored');
    }
  }

  /** @returns null when nobody is known by the sender's business-scoped id */
  private async store(phone: BusinessPhone, message: InboundMessage, tx: Tx): Promise<TakenIn | null> {
    const { accountId } = phone;
    if (await isStored(accountId, message.networkMessageId, tx)) return STORED_BEFORE;
    const contact = await this.contactOf(accountId, message, tx);
    if (contact === null) return null;
    const contactPhone = contact.phone_number;
    await takeTurn(accountId, contact.id, tx);
    const stored: StoredInbound = {
      accountId,
      messageId: newRecordId(),
      contactPhone,
      contactName: fullName(contact.first_name, contact.last_name),
      businessPhoneId: phone.id,
      message,
    };
    const answered = await this.answeredBy(phone, contact.id, message, tx);
    const { original } = answered;
    const place = { id: stored.messageId, contactId: contact.id, businessPhoneId: phone.id };
    const first = await insertInbound(accountId, { ...place, contextMessageId: original?.id ?? null }, message, tx);
    if (!first) return STORED_BEFORE;
    await this.heedConsent(accountId, contact, message, tx);
    await this.tell(stored, answered, tx);
    const { autoReply } = await this.conversations.receive(
      accountId,
      {
        contactPhone,
        contactId: contact.id,
        businessPhoneId: phone.id,
        preview: message.content,
        at: message.at,
        opensWindow: message.messageType !== NETWORK_NOTICE,
      },
      tx,
    );
    return { reply: autoReply === null ? null : await this.replies.intend(phone, contactPhone, autoReply, tx) };
  }

  private async contactOf(accountId: string, message: InboundMessage, tx: Tx): Promise<EnsuredContact | null> {
    // A number says who it is; the business-scoped id counts where there is none.
    const networkUserId = message.from === null ? message.networkUserId : null;
    const known = await findByIdentity(accountId, message.from, networkUserId, tx);
    const phoneNumber = known?.phone_number ?? message.from;
    if (phoneNumber === null) return null;
    const [contact] = await ensureContacts(accountId, [{ phoneNumber, name: message.profileName }], 'inbound', tx);
    if (contact === undefined) throw new Error(`contact ${phoneNumber} was not stored`);
    if (message.networkUserId !== null) await rememberNetworkUserId(accountId, contact.id, message.networkUserId, tx);
    return contact;
  }

  private async answeredBy(
    phone: BusinessPhone,
    contactId: string,
    message: InboundMessage,
    tx: Tx,
  ): Promise<Answered> {
    if (message.messageType === NETWORK_NOTICE) return { original: null, tap: null };
    const quoted = message.about === null ? null : await findQuoted(phone.accountId, contactId, message.about, tx);
    const campaign = () => findAnsweredCampaignMessage(phone.accountId, contactId, phone.id, message.at, tx);
    const original = quoted ?? (await campaign());
    // A tap that names a message which is not ours is none on the one that it happens to follow.
    const isOfOriginal = original !== null && (quoted !== null || message.about === null);
    return { original, tap: isOfOriginal ? message.tap : null };
  }

  private async heedConsent(
    accountId: string,
    contact: EnsuredContact,
    message: InboundMessage,
    tx: Tx,
  ): Promise<void> {
    if (message.messageType !== 'text') return;
    const optedIn = consentAsked(message, await findConsentWords(accountId, tx));
    if (optedIn !== null) await setConsent(accountId, [contact.id], { optedIn, at: message.at }, tx);
  }

  private async tell(stored: StoredInbound, { original, tap }: Answered, tx: Tx): Promise<void> {
    const { accountId, message } = stored;
    const at = now();
    await this.outbox.write(
      [
        receivedEvent(stored, original !== null, at),
        ...(original === null ? [] : [replyEvent(stored, original, at)]),
        ...(original === null || tap === null ? [] : [clickedEvent(stored, original, tap, at)]),
      ],
      tx,
    );
    if (original === null) return;
    const tapped = tap !== null;
    if (tapped) await this.reports.record([{ accountId, messageId: original.id, kind: 'clicked', at: message.at }], tx);
    if (original.recipientId === null) return;
    await countReaction(accountId, original.recipientId, 'replied', tx);
    if (tapped) await countReaction(accountId, original.recipientId, 'clicked', tx);
  }

  private async keepRaw(item: MessageItem, phone: BusinessPhone | null, reason: string): Promise<void> {
    const body = { phone_number_id: item.phoneNumberId, message: item.message, contact: item.contact };
    await recordUnhandled(
      [{ accountId: phone?.accountId ?? null, field: 'messages', reason, body }],
      this.unitOfWork.autocommit,
    );
  }
}
