/** Everything that a webhook endpoint can subscribe to. */
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

/** Something that happened in an account and that its webhook endpoints may want to know. */
export interface DomainEvent {
  readonly accountId: string;
  readonly kind: EventKind;
  /** Whom it tells of, so that it is found again when they are erased. */
  readonly contactId: string;
  readonly occurredAt: Date;
  /** The webhook body, exactly as it is delivered; JSON-safe. */
  readonly payload: Readonly<Record<string, unknown>>;
}
