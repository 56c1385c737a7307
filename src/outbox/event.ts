/** The events that a webhook endpoint can subscribe to. */
export const EVENT_KINDS = [
  'message.sent',
  'message.delivered',
  'message.read',
  'message.failed',
  'button.clicked',
  'message.received',
  'message.reply',
  'conversation.assigned',
  'conversation.unassigned',
  'conversation.resolved',
  'conversation.reopened',
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

/** An event of an account, to be delivered to its webhook endpoints. */
export interface DomainEvent {
  readonly accountId: string;
  readonly kind: EventKind;
  /** The contact the event is about, so that an erasure can find the event. */
  readonly contactId: string;
  readonly occurredAt: Date;
  /** The webhook body, exactly as delivered; JSON-safe. */
  readonly payload: Readonly<Record<string, unknown>>;
}
