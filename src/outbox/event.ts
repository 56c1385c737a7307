import type { EventPayload } from '../manifest/event-manifest.js';

/** An event of an account, to be delivered to its webhook endpoints. */
export interface DomainEvent {
  readonly accountId: string;
  /** One that a room declares. */
  readonly kind: string;
  /** The contact the event is about, so that an erasure can find the event; null for none. */
  readonly contactId: string | null;
  readonly occurredAt: Date;
  /** The webhook body, exactly as delivered; JSON-safe. */
  readonly payload: object;
}

/** The event with this body. @param at the time that the body was given */
export const domainEvent = (
  { accountId, contactId }: Pick<DomainEvent, 'accountId' | 'contactId'>,
  payload: EventPayload,
  at: Date,
): DomainEvent => ({ accountId, kind: payload.event, contactId, occurredAt: at, payload });
