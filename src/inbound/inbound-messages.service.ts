import { Injectable, Logger } from '@nestjs/common';
import { type BusinessPhone, BusinessPhonesService } from '../accounts/business-phones.service.js';
import { endWaiting } from '../conversations/conversation-key.queries.js';
import { isConflict, isTransient } from '../database/connections/transient-errors.js';
import { withRetries } from '../database/connections/with-retries.js';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { DomainError } from '../errors/domain-error.js';
import { MessageMedia } from '../media/message-media.js';
import type { ReadMessage } from '../messages/inbound-kinds.js';
import { Outbox } from '../outbox/outbox.js';
import { findByIdentity, type KnownIdentity } from '../people/contact-identity.queries.js';
import { isIdentityRace } from '../people/learning.js';
import { recordUnhandled } from '../reports/unhandled-callback.queries.js';
import { now } from '../values/clock.js';
import type { JsonObject } from '../values/network-json.js';
import { AutomaticRepliesService, type AutomaticReply } from './automatic-replies.service.js';
import type { EchoItem, MessageItem } from './callback.js';
import { decideBySaying } from './inbound-consent.js';
import { type InboundMessage, readEcho, readInboundMessage } from './inbound-message.js';
import { ContactChanged, lockContact } from './inbound-message.queries.js';
import { MessageArrivalsService } from './message-arrivals.service.js';
import { MessageChangesService } from './message-changes.service.js';
import { PhoneAppEchoesService } from './phone-app-echoes.service.js';

/** Attempts of a transaction that conflicts with another one. */
const MAX_TRIES = 5;
const isRace = (error: unknown): boolean =>
  isConflict(error) || isIdentityRace(error) || error instanceof ContactChanged;

const isUnavailable = (error: unknown): boolean => error instanceof DomainError && error.code === 'unavailable';

/** What changes another message instead of being one. */
const CHANGES: readonly string[] = ['edit', 'revoke', 'unreact'];

/** What follows once a message is committed. */
@Injectable()
export class AfterCommit {
  constructor(
    private readonly outbox: Outbox,
    private readonly media: MessageMedia,
    private readonly replies: AutomaticRepliesService,
  ) {}

  announce(accountId: string, { contents }: ReadMessage, reply: AutomaticReply | null): void {
    this.outbox.announce();
    if (contents.media !== undefined) this.media.announce(accountId);
    if (reply !== null) this.replies.send(reply);
  }
}

/**
 * Receives each message from a contact once, and each message that the business sent with the phone app: one transaction
 * does all that a message does.
 */
@Injectable()
export class InboundMessagesService {
  private readonly logger = new Logger(InboundMessagesService.name);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhonesService,
    private readonly arrivals: MessageArrivalsService,
    private readonly changes: MessageChangesService,
    private readonly echoes: PhoneAppEchoesService,
    private readonly after: AfterCommit,
  ) {}

  /** Resolves when the message is stored. A message that cannot be used is recorded as it arrived. */
  async receive(item: MessageItem): Promise<void> {
    const phone = await this.phones.findByPhoneNumberId(item.phoneNumberId);
    const message = readInboundMessage(item, now());
    if (phone === null) return this.recordRaw(item, null, 'unknown business phone');
    if (message === null) return this.recordRaw(item, phone, 'no id or no sender');
    if (message.groupId !== null) return this.recordRaw(item, phone, 'posted in a group');
    await this.store(item, phone, message.read, (tx) =>
      CHANGES.includes(message.read.role)
        ? this.change(phone, message, rawOf(item), tx)
        : this.arrivals.store(phone, message, tx),
    );
  }

  /** Resolves when a message is stored that the business sent with the phone app. */
  async receiveEcho(item: EchoItem): Promise<void> {
    const phone = await this.phones.findByPhoneNumberId(item.phoneNumberId);
    const echo = readEcho(item.message, now());
    if (phone === null) return this.recordRaw(item, null, 'unknown business phone');
    if (echo === null) return this.recordRaw(item, phone, 'no id or no recipient');
    if (echo.groupId !== null) return this.recordRaw(item, phone, 'posted in a group');
    await this.store(item, phone, echo.read, async (tx) => {
      if (!CHANGES.includes(echo.read.role)) await this.echoes.store(phone, echo, tx);
      else {
        await this.changes.lock(phone.accountId, echo, tx);
        const contact = await this.knownPerson(phone.accountId, echo, tx);
        const place = { phone, contactId: contact?.id ?? null, direction: 'out' } as const;
        await this.changes.apply(place, echo, rawOf(item), tx);
      }
      return null;
    });
  }

  private async store(
    item: MessageItem | EchoItem,
    phone: BusinessPhone,
    read: ReadMessage,
    work: (tx: Tx) => Promise<AutomaticReply | null>,
  ): Promise<void> {
    const once = async (): Promise<void> => {
      const reply = await this.unitOfWork.writes(phone.accountId).transaction(work);
      this.after.announce(phone.accountId, read, reply);
    };
    try {
      await withRetries(once, isRace, MAX_TRIES);
    } catch (error) {
      // The network repeats a callback that is not acknowledged.
      if (isTransient(error) || isRace(error) || isUnavailable(error)) throw error;
      this.logger.error(`an inbound message could not be stored: ${(error as Error).message}`);
      await this.recordRaw(item, phone, 'could not be stored');
    }
  }

  /** Changes the message that an edit, a revocation or a reaction that is taken back names. */
  private async change(phone: BusinessPhone, message: InboundMessage, body: JsonObject, tx: Tx): Promise<null> {
    const { accountId } = phone;
    await this.changes.lock(accountId, message, tx);
    const contactId = (await this.knownPerson(accountId, message, tx))?.id ?? null;
    const { messageId, isNew } = await this.changes.apply({ phone, contactId, direction: 'in' }, message, body, tx);
    const optedIn = isNew ? await decideBySaying(accountId, contactId, messageId, message, tx) : null;
    if (optedIn === false && contactId !== null) {
      await endWaiting(accountId, { contactId, businessPhoneId: phone.id }, tx);
    }
    return null;
  }

  /** Finds and locks the contact of a person, without creating one. */
  private async knownPerson(
    accountId: string,
    { from, userId, at }: Pick<InboundMessage, 'from' | 'userId' | 'at'>,
    tx: Tx,
  ): Promise<KnownIdentity | null> {
    const { ofNumber, ofUser, numberLeftAt } = await findByIdentity(accountId, from, userId, tx);
    const isReassigned = numberLeftAt !== null && at > numberLeftAt;
    const contact = (isReassigned ? null : ofNumber) ?? ofUser;
    if (contact !== null && !(await lockContact(accountId, contact, tx))) throw new ContactChanged();
    return contact;
  }

  private async recordRaw(item: MessageItem | EchoItem, phone: BusinessPhone | null, reason: string): Promise<void> {
    const field = item.kind === 'echo' ? 'smb_message_echoes' : 'messages';
    await recordUnhandled(
      [{ accountId: phone?.accountId ?? null, field, reason, body: rawOf(item) }],
      this.unitOfWork.autocommit,
    );
  }
}

const rawOf = (item: MessageItem | EchoItem): JsonObject => ({
  phone_number_id: item.phoneNumberId,
  message: item.message,
  ...(item.kind === 'message' ? { contact: item.contact } : {}),
});
