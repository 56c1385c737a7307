import { Injectable } from '@nestjs/common';
import type { BusinessPhone } from '../accounts/business-phones.service.js';
import { countReaction } from '../campaigns/progress/recipient-reaction.queries.js';
import { AutomaticAssignmentService } from '../conversations/automatic-assignment.service.js';
import type { Tx } from '../database/unit-of-work.js';
import { InboundListener } from '../hooks/inbound-listener.js';
import { notify } from '../hooks/notify.js';
import { hexOf, type MediaState, MessageMedia, mediaPath } from '../media/message-media.js';
import type { MediaFacts, ReadMessage } from '../messages/inbound-kinds.js';
import { partsOf } from '../messages/message-parts.js';
import { ButtonClickedEvent, MessageReceivedEvent, MessageReplyEvent } from '../messages/messages.events.js';
import { MessageReportsService } from '../messages/outcomes/message-reports.service.js';
import { domainEvent } from '../outbox/event.js';
import { Outbox } from '../outbox/outbox.js';
import { Contact } from '../people/contact.entity.js';
import { fullName } from '../people/contact-name.js';
import { refOf } from '../people/contact-ref.js';
import { movePerson } from '../people/learning.js';
import { ensurePerson, type Person } from '../people/person.queries.js';
import { now } from '../values/clock.js';
import { type RecordId, recordIdAt } from '../values/record-id.js';
import { AutomaticRepliesService, type AutomaticReply } from './automatic-replies.service.js';
import { decideBySaying } from './inbound-consent.js';
import type { OriginalMessage, StoredInbound } from './inbound-event.js';
import type { InboundMessage } from './inbound-message.js';
import {
  ContactChanged,
  findAnsweredCampaignMessage,
  insertDelivered,
  isStored,
  lockContact,
} from './inbound-message.queries.js';
import { keysOf, MessageChangesService } from './message-changes.service.js';
import { findNamedMessage } from './named-message.queries.js';

/** What is needed to know of the sender's contact. */
type SenderContact = Readonly<Pick<Contact, 'id' | 'phoneNumber' | 'userId' | 'firstName' | 'lastName'>>;

/** What a message refers to. */
interface Answered {
  /** The message that it quotes, taps or reacts to, of either side. */
  readonly named: OriginalMessage | null;
  /** Our message that it replies to. */
  readonly original: OriginalMessage | null;
  /** The button of that message that it taps. */
  readonly tap: ReadMessage['tap'];
}

/**
 * Stores a message from a contact, with its contact, conversation, service window, consent and answered message, and the
 * events about them. A notice of the network opens no window, answers nothing and is not part of the conversation.
 */
@Injectable()
export class MessageArrivalsService {
  constructor(
    private readonly reports: MessageReportsService,
    private readonly outbox: Outbox,
    private readonly conversations: AutomaticAssignmentService,
    private readonly replies: AutomaticRepliesService,
    private readonly changes: MessageChangesService,
    private readonly media: MessageMedia,
  ) {}

  /** @returns the automatic reply to send after the commit */
  async store(phone: BusinessPhone, message: InboundMessage, tx: Tx): Promise<AutomaticReply | null> {
    const { accountId } = phone;
    const { read } = message;
    const names = keysOf(message);
    if (await isStored(accountId, message.networkMessageId, names, tx)) return null;
    const contact = await senderContact(accountId, message, tx);
    const identity = { phoneNumber: contact.phoneNumber, userId: contact.userId };
    if (!(await lockContact(accountId, contact, tx))) throw new ContactChanged();
    const answered = await this.answeredBy(phone, contact.id, message, tx);
    const messageId = recordIdAt(message.at);
    const idOf = (name: string): RecordId | null => (name === read.names ? (answered.named?.id ?? null) : null);
    const stored: StoredInbound = {
      accountId,
      messageId,
      contactId: contact.id,
      contact: identity,
      contactName: fullName(contact),
      businessPhoneId: phone.id,
      message,
      parts: partsOf(message.raw, read, { messageId, media: expectedMedia(messageId, read.contents.media), idOf }),
    };
    const { named, original } = answered;
    // A reaction is shown with what it is put on, and with nothing else that it may be a reply to.
    const isReaction = read.contents.reaction !== undefined;
    const contextMessageId = (isReaction ? named : (original ?? named))?.id ?? null;
    const keys = { id: messageId, contactId: contact.id, businessPhoneId: phone.id, contextMessageId };
    const inserted = await insertDelivered(accountId, 'contact', keys, message, names, tx);
    if (inserted === null) return null;
    await expectFile(this.media, accountId, keys, read, tx);
    const optedIn = await decideBySaying(accountId, contact.id, messageId, message, tx);
    await this.recordAnswer(stored, answered, tx);
    const autoReply = read.role === 'notice' ? null : await this.tellConversation(stored, optedIn === false, tx);
    this.tellListeners(stored, answered, tx);
    if (inserted.isAwaited) {
      const place = { phone, contactId: contact.id, direction: 'in' } as const;
      await this.changes.applyWaiting(place, { id: messageId, message }, tx);
    }
    return autoReply === null ? null : this.replies.storeIntent(phone, refOf(identity), autoReply, tx);
  }

  private async tellConversation(stored: StoredInbound, optsOut: boolean, tx: Tx): Promise<string | null> {
    const { accountId, contact, contactId, businessPhoneId, message } = stored;
    const { role, preview, messageType } = message.read;
    const isAnswered = role === 'answered' && !optsOut;
    const waiting = optsOut ? 'ends' : messageType === 'reaction' ? 'unchanged' : 'begins';
    const received = { contact, contactId, businessPhoneId, preview, at: message.at, isAnswered, waiting } as const;
    return (await this.conversations.receive(accountId, received, tx)).autoReply;
  }

  private tellListeners(stored: StoredInbound, { original, tap }: Answered, tx: Tx): void {
    const { accountId, messageId, contactId, businessPhoneId, message } = stored;
    const { messageType, content } = message.read;
    const { at } = message;
    const facts = { messageId, contactId, businessPhoneId, messageType, content, at };
    const about = { answers: original?.id ?? null, campaignId: original?.campaignId ?? null };
    notify(InboundListener, 'onMessage', accountId, { ...facts, ...about }, tx);
    if (original === null || tap === null) return;
    notify(InboundListener, 'onTap', accountId, { ...facts, ...about, answers: original.id, button: tap }, tx);
  }

  private async answeredBy(
    phone: BusinessPhone,
    contactId: string,
    { read, at }: InboundMessage,
    tx: Tx,
  ): Promise<Answered> {
    if (read.role === 'notice') return { named: null, original: null, tap: null };
    const place = { contactId, businessPhoneId: phone.id, direction: null, at } as const;
    const named = read.names === null ? null : await findNamedMessage(phone.accountId, read.names, place, tx);
    const quoted = named?.direction === 'out' ? named : null;
    const original = quoted ?? (await findAnsweredCampaignMessage(phone.accountId, contactId, phone.id, at, tx));
    // A tap that names an unknown message is not a tap on the campaign message that it happens to follow.
    const isOfOriginal = original !== null && (quoted !== null || read.names === null);
    return { named, original, tap: isOfOriginal ? read.tap : null };
  }

  private async recordAnswer(stored: StoredInbound, { original, tap }: Answered, tx: Tx): Promise<void> {
    const { accountId, message } = stored;
    const at = now();
    const bodies = [
      new MessageReceivedEvent(stored, original !== null, at),
      ...(original === null ? [] : [new MessageReplyEvent(stored, original, at)]),
      ...(original === null || tap === null ? [] : [new ButtonClickedEvent(stored, original, tap, at)]),
    ];
    await this.outbox.write(
      bodies.map((body) => domainEvent(stored, body, at)),
      tx,
    );
    if (original === null) return;
    const tapped = tap !== null;
    if (tapped) await this.reports.record([{ accountId, messageId: original.id, kind: 'clicked', at: message.at }], tx);
    if (original.campaignId === null) return;
    const recipient = { campaignId: original.campaignId, contactId: original.contactId };
    await countReaction(accountId, recipient, 'replied', message.at, tx);
    if (tapped) await countReaction(accountId, recipient, 'clicked', message.at, tx);
  }
}

/** The contact of the sender; a notice that they have changed number or user id is applied to it first. */
async function senderContact(accountId: string, message: InboundMessage, tx: Tx): Promise<SenderContact> {
  const contact = await ensurePerson(accountId, senderOf(message), 'inbound', message.at, tx);
  if (message.movedTo === null) return contact;
  const id = await movePerson(accountId, contact.id, message.movedTo, message.at, tx);
  return tx.manager.findOneByOrFail(Contact, { accountId, id });
}

/** Ignores the user id of a network notice: a notice about a changed number may combine it with the old number. */
const senderOf = ({ from, userId, username, profileName, read }: InboundMessage): Person => ({
  phoneNumber: from,
  userId: from !== null && read.role === 'notice' ? null : userId,
  username,
  name: profileName,
});

/** The state of a file that is about to be fetched. */
const expectedMedia = (messageId: RecordId, file: MediaFacts | undefined): MediaState | null =>
  file === undefined || file.networkMediaId === null
    ? null
    : {
        status: 'pending',
        mimeType: file.mimeType,
        filename: file.filename,
        size: null,
        sha256: hexOf(file.sha256),
        url: mediaPath(messageId),
      };

/** Has the file of a message fetched, if it has one. */
export async function expectFile(
  media: MessageMedia,
  accountId: string,
  { id: messageId, businessPhoneId }: { readonly id: RecordId; readonly businessPhoneId: RecordId },
  { contents }: ReadMessage,
  tx: Tx,
): Promise<void> {
  const { media: file } = contents;
  if (file === undefined || file.networkMediaId === null) return;
  const { networkMediaId, mimeType, filename, sha256 } = file;
  await media.expect(accountId, [{ messageId, businessPhoneId, networkMediaId, mimeType, filename, sha256 }], tx);
}
