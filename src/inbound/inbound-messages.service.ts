import { Injectable, Logger } from '@nestjs/common';
import { type BusinessPhone, BusinessPhonesService } from '../accounts/business-phones.service.js';
import { countReaction } from '../campaigns/progress/recipient-reaction.queries.js';
import { setConsent } from '../contacts/consent.queries.js';
import { fullName } from '../contacts/contact-name.js';
import { refOf } from '../contacts/contact-ref.js';
import type { EnsuredContact } from '../contacts/identity/ensured-contacts.queries.js';
import { ensurePerson, isIdentityRace, type Person } from '../contacts/identity/person.queries.js';
import { AutomaticAssignmentService } from '../conversations/automatic-assignment.service.js';
import { isConflict, isTransient } from '../database/connections/transient-errors.js';
import { withRetries } from '../database/connections/with-retries.js';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { MessageReportsService } from '../messages/reports/message-reports.service.js';
import { Outbox } from '../outbox/outbox.js';
import { now } from '../values/clock.js';
import { newRecordId } from '../values/record-id.js';
import { AutomaticRepliesService, type AutomaticReply } from './automatic-replies.service.js';
import type { MessageItem } from './callback.js';
import { clickedEvent, type OriginalMessage, receivedEvent, replyEvent, type StoredInbound } from './inbound-event.js';
import { consentDecision, type InboundMessage, NETWORK_NOTICE, readInboundMessage } from './inbound-message.js';
import {
  findAnsweredCampaignMessage,
  findConsentWords,
  findQuoted,
  insertInbound,
  isStored,
  lockContact,
} from './inbound-message.queries.js';
import { recordUnhandled } from './unhandled-callback.queries.js';

/** Attempts of a transaction that conflicts with another one. */
const MAX_TRIES = 5;
const isRace = (error: unknown): boolean =>
  isConflict(error) || isIdentityRace(error) || error instanceof ContactErased;

/** The contact was erased while its message was being stored; a retry creates a new contact. */
class ContactErased extends Error {}

/** What to do after the commit. */
interface AfterCommit {
  /** To be sent. */
  readonly reply: AutomaticReply | null;
}

/** What a message answers. */
interface Answered {
  /** Our message that it replies to. */
  readonly original: OriginalMessage | null;
  /** The button of that message that it taps. */
  readonly tap: InboundMessage['tap'];
}

const NOTHING_TO_DO: AfterCommit = { reply: null };

/**
 * Receives each message from a contact once. One transaction stores the message, its contact, conversation, service
 * window, consent and answered message, and the events about them.
 */
@Injectable()
export class InboundMessagesService {
  private readonly logger = new Logger(InboundMessagesService.name);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhonesService,
    private readonly reports: MessageReportsService,
    private readonly outbox: Outbox,
    private readonly conversations: AutomaticAssignmentService,
    private readonly replies: AutomaticRepliesService,
  ) {}

  /** Resolves when the message is stored. A message that cannot be used is recorded as it arrived. */
  async receive(item: MessageItem): Promise<void> {
    const phone = await this.phones.findByPhoneNumberId(item.phoneNumberId);
    const message = readInboundMessage(item, now());
    if (phone === null) return this.recordRaw(item, null, 'unknown business phone');
    if (message === null) return this.recordRaw(item, phone, 'no id or no sender');
    const once = async (): Promise<void> => {
      const after = await this.unitOfWork.writes(phone.accountId).transaction((tx) => this.store(phone, message, tx));
      this.outbox.announce();
      if (after.reply !== null) this.replies.send(after.reply);
    };
    try {
      await withRetries(once, isRace, MAX_TRIES);
    } catch (error) {
      // The network repeats a callback that is not acknowledged.
      if (isTransient(error) || isRace(error)) throw error;
      this.logger.error(`an inbound message could not be stored: ${(error as Error).message}`);
      await this.recordRaw(item, phone, 'could not be stored');
    }
  }

  private async store(phone: BusinessPhone, message: InboundMessage, tx: Tx): Promise<AfterCommit> {
    const { accountId } = phone;
    if (await isStored(accountId, message.networkMessageId, tx)) return NOTHING_TO_DO;
    const contact = await ensurePerson(accountId, senderOf(message), 'inbound', tx);
    const identity = { phoneNumber: contact.phoneNumber, userId: contact.userId };
    if (!(await lockContact(accountId, contact.id, tx))) throw new ContactErased();
    const stored: StoredInbound = {
      accountId,
      messageId: newRecordId(),
      contactId: contact.id,
      contact: identity,
      contactName: fullName(contact),
      businessPhoneId: phone.id,
      message,
    };
    const answered = await this.answeredBy(phone, contact.id, message, tx);
    const { original } = answered;
    const keys = { id: stored.messageId, contactId: contact.id, businessPhoneId: phone.id };
    const first = await insertInbound(accountId, { ...keys, contextMessageId: original?.id ?? null }, message, tx);
    if (!first) return NOTHING_TO_DO;
    await this.applyConsent(accountId, contact, message, tx);
    await this.recordAnswer(stored, answered, tx);
    const { autoReply } = await this.conversations.receive(
      accountId,
      {
        contact: identity,
        contactId: contact.id,
        businessPhoneId: phone.id,
        preview: message.content,
        at: message.at,
        opensWindow: message.messageType !== NETWORK_NOTICE,
      },
      tx,
    );
    return { reply: autoReply === null ? null : await this.replies.storeIntent(phone, refOf(identity), autoReply, tx) };
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
    // A tap that names an unknown message is not a tap on the campaign message that it happens to follow.
    const isOfOriginal = original !== null && (quoted !== null || message.about === null);
    return { original, tap: isOfOriginal ? message.tap : null };
  }

  private async applyConsent(
    accountId: string,
    contact: EnsuredContact,
    message: InboundMessage,
    tx: Tx,
  ): Promise<void> {
    if (message.messageType !== 'text') return;
    const optedIn = consentDecision(message, await findConsentWords(accountId, tx));
    if (optedIn !== null) await setConsent(accountId, [contact.id], { optedIn, at: message.at }, tx);
  }

  private async recordAnswer(stored: StoredInbound, { original, tap }: Answered, tx: Tx): Promise<void> {
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
    if (original.campaignId === null) return;
    const recipient = { campaignId: original.campaignId, contactId: stored.contactId };
    await countReaction(accountId, recipient, 'replied', tx);
    if (tapped) await countReaction(accountId, recipient, 'clicked', tx);
  }

  private async recordRaw(item: MessageItem, phone: BusinessPhone | null, reason: string): Promise<void> {
    const body = { phone_number_id: item.phoneNumberId, message: item.message, contact: item.contact };
    await recordUnhandled(
      [{ accountId: phone?.accountId ?? null, field: 'messages', reason, body }],
      this.unitOfWork.autocommit,
    );
  }
}

/** Ignores the user id of a network notice: a notice about a changed number may combine it with the old number. */
const senderOf = ({ from, userId, username, profileName, messageType }: InboundMessage): Person => ({
  phoneNumber: from,
  userId: from !== null && messageType === NETWORK_NOTICE ? null : userId,
  username,
  name: profileName,
});
