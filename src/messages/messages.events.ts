import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { type EventClass, eventBody, NAIVE_TIME } from '../manifest/event-manifest.js';
import { type DomainEvent, domainEvent } from '../outbox/event.js';
import { CONTACT_PHONE, CONTACT_USER_ID, type ContactFields, writeContact } from '../people/contact-fields.js';
import { naiveTimestamp } from '../values/clock.js';
import type {
  AnsweredMessage,
  MessageError,
  MessageSubject,
  NamedContact,
  OfCampaign,
  ReceivedMessage,
} from './message-event.js';
import { MessageParts } from './message-parts.js';
import type { MessageStatus, StatusEvent } from './message-status.js';

const USUAL = { reach: 'usual' } as const;
const MESSAGE_TYPE = { description: 'Such as `text`, `image` or `button_reply`; the network may add others' };

/** A message, and the contact at its other end. @param Contents what else is described */
function eventMessage(Contents: new () => object) {
  class NamedMessage extends Contents implements ContactFields {
    @ApiProperty({ format: 'uuid' }) readonly message_id: string;
    @ApiProperty(CONTACT_PHONE) contact_phone: string | null;
    @ApiProperty(CONTACT_USER_ID) contact_user_id?: string | null;
    @ApiProperty() readonly contact_name: string;

    constructor(messageId: string, { contact, contactName }: NamedContact) {
      super();
      this.message_id = messageId;
      writeContact(this, contact);
      this.contact_name = contactName;
    }
  }
  return NamedMessage;
}

class EventMessage extends eventMessage(Object) {}

/** A message of ours, which may have a name of the caller's own. */
class ReferredMessage extends EventMessage {
  @ApiPropertyOptional({ example: 'order-4711', description: 'As the send gave it; absent if it gave none' })
  readonly reference?: string;

  constructor(messageId: string, contact: NamedContact, reference: string | null) {
    super(messageId, contact);
    if (reference !== null) this.reference = reference;
  }
}

/** The body of an event about a message that may belong to a campaign. */
function campaignEvent<Kind extends string>(kind: Kind, when: string) {
  abstract class CampaignEvent extends eventBody(kind, { when, ...USUAL }) {
    @ApiProperty({
      type: String,
      nullable: true,
      format: 'uuid',
      description: 'Null for a message that belongs to no campaign',
    })
    readonly campaign_id: string | null;
    @ApiProperty({ type: String, nullable: true }) readonly campaign_name: string | null;

    constructor({ campaignId, campaignName }: OfCampaign, at: Date) {
      super(at);
      this.campaign_id = campaignId;
      this.campaign_name = campaignName;
    }
  }
  return CampaignEvent;
}

/** A message that has reached a status. */
function statusMessage<Status extends StatusEvent['status']>(status: Status) {
  @ApiSchema({ name: `${status} message` })
  class StatusMessage extends ReferredMessage {
    @ApiProperty({ enum: [status] }) readonly status: Status;
    @ApiProperty({ type: String, description: 'The status before' }) readonly previous_status: MessageStatus;
    @ApiProperty({ description: 'When the network says it happened; UTC, without an offset' })
    readonly status_timestamp: string;

    constructor(subject: MessageSubject, previous: MessageStatus, reportedAt: Date) {
      super(subject.messageId, subject, subject.reference);
      this.status = status;
      this.previous_status = previous;
      this.status_timestamp = naiveTimestamp(reportedAt);
    }
  }
  return StatusMessage;
}

/** The body of the event of a status; `Message` is what it says of the message. */
function statusBody(
  status: StatusEvent['status'],
  when: string,
  Message: new (
    subject: MessageSubject,
    previous: MessageStatus,
    reportedAt: Date,
    error: MessageError | null,
  ) => EventMessage = statusMessage(status),
) {
  class StatusBody extends campaignEvent(`message.${status}`, when) {
    @ApiProperty({ type: Message }) readonly message: EventMessage;

    constructor(
      subject: MessageSubject,
      { previous }: StatusEvent,
      error: MessageError | null,
      reportedAt: Date,
      at: Date,
    ) {
      super(subject, at);
      this.message = new Message(subject, previous, reportedAt, error);
    }
  }
  return StatusBody;
}

class FailedMessage extends statusMessage('failed') {
  @ApiProperty({ description: 'In plain words' }) readonly error_message: string;
  @ApiProperty({ type: 'integer', description: 'From 900001 on Parley’s own, else the network’s' })
  readonly error_code: number;

  constructor(subject: MessageSubject, previous: MessageStatus, reportedAt: Date, error: MessageError | null) {
    super(subject, previous, reportedAt);
    this.error_message = error?.message ?? 'The network gave no reason.';
    this.error_code = error?.code ?? 0;
  }
}

class MessageSentEvent extends statusBody('sent', 'The network accepted a message') {}
class MessageDeliveredEvent extends statusBody('delivered', 'A message reached the phone') {}
class MessageReadEvent extends statusBody('read', 'The contact read a message') {}
class MessageFailedEvent extends statusBody('failed', 'A message failed', FailedMessage) {}

const STATUS_EVENTS = {
  sent: MessageSentEvent,
  delivered: MessageDeliveredEvent,
  read: MessageReadEvent,
  failed: MessageFailedEvent,
} as const;

/**
 * The event of a message status.
 *
 * @param reportedAt when it happened, by the network's clock
 * @param at the time of the event
 */
export const statusEvent = (
  subject: MessageSubject,
  event: StatusEvent,
  error: MessageError | null,
  reportedAt: Date,
  at: Date,
): DomainEvent => domainEvent(subject, new STATUS_EVENTS[event.status](subject, event, error, reportedAt, at), at);

class TappedMessage extends ReferredMessage {
  @ApiProperty({ format: 'uuid', description: 'The message whose button was tapped' })
  override readonly message_id: string;
}

class TappedButton {
  @ApiProperty() readonly id: string;
  @ApiProperty() readonly text: string;
  @ApiProperty({ enum: ['quick_reply'] }) readonly type: string;

  constructor({ id, text }: { readonly id: string; readonly text: string }) {
    this.id = id;
    this.text = text;
    this.type = 'quick_reply';
  }
}

/** A contact tapped a quick reply of one of our messages. */
export class ButtonClickedEvent extends campaignEvent('button.clicked', 'The contact tapped a button of a message') {
  @ApiProperty() readonly message: TappedMessage;
  @ApiProperty() readonly button: TappedButton;

  constructor(by: NamedContact, original: AnsweredMessage, button: { id: string; text: string }, at: Date) {
    super(original, at);
    this.message = new TappedMessage(original.id, by, original.reference);
    this.button = new TappedButton(button);
  }
}

/** What a contact wrote. */
class SaidMessage extends eventMessage(MessageParts) {
  @ApiProperty({ description: 'What a person reads; empty for a file without a caption' }) readonly content: string;
  @ApiProperty(MESSAGE_TYPE) readonly message_type: string;
  @ApiProperty(NAIVE_TIME) readonly timestamp: string;

  constructor(received: ReceivedMessage) {
    const { messageId, message, parts } = received;
    super(messageId, received);
    this.content = message.read.content;
    this.message_type = message.read.messageType;
    Object.assign(this, parts);
    this.timestamp = naiveTimestamp(message.at);
  }
}

class ContactMessage extends SaidMessage {
  @ApiProperty({ format: 'uuid' }) readonly waba_phone_id: string;
  @ApiProperty({ description: 'Whether `message.reply` comes with it' }) readonly is_reply: boolean;
  @ApiProperty({ description: 'Whether the contact came from an advertisement' }) readonly is_from_ad: boolean;

  constructor(received: ReceivedMessage, isReply: boolean) {
    super(received);
    this.waba_phone_id = received.businessPhoneId;
    this.is_reply = isReply;
    this.is_from_ad = received.message.isFromAd;
  }
}

/** A contact wrote. */
export class MessageReceivedEvent extends eventBody('message.received', { when: 'The contact wrote', ...USUAL }) {
  @ApiProperty() readonly message: ContactMessage;

  constructor(received: ReceivedMessage, isReply: boolean, at: Date) {
    super(at);
    this.message = new ContactMessage(received, isReply);
  }
}

class OriginalMessage extends ReferredMessage {
  @ApiProperty(NAIVE_TIME) readonly sent_at: string;

  constructor({ id, sentAt, reference }: AnsweredMessage, by: NamedContact) {
    super(id, by, reference);
    this.sent_at = naiveTimestamp(sentAt);
  }
}

/** A contact answered one of our messages. */
export class MessageReplyEvent extends campaignEvent('message.reply', 'The contact answered one of your messages') {
  @ApiProperty() readonly original_message: OriginalMessage;
  @ApiProperty() readonly reply: SaidMessage;

  constructor(received: ReceivedMessage, original: AnsweredMessage, at: Date) {
    super(original, at);
    this.original_message = new OriginalMessage(original, received);
    this.reply = new SaidMessage(received);
  }
}

/** Events of messages, in both directions. */
export const MESSAGE_EVENTS: readonly EventClass[] = [
  ...Object.values(STATUS_EVENTS),
  ButtonClickedEvent,
  MessageReceivedEvent,
  MessageReplyEvent,
];
