import { Column, Entity, PrimaryColumn } from 'typeorm';
import { EVENT_KINDS } from '../outbox/event.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The event that `POST …/test` sends. */
export const TEST_KIND = 'webhook.test';
/** What a delivery may tell of. */
export const DELIVERY_KINDS = [...EVENT_KINDS, TEST_KIND] as const;
export type DeliveryKind = (typeof DELIVERY_KINDS)[number];

/** One event on its way to one endpoint. */
@Entity('webhook_deliveries')
export class WebhookDelivery {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'uuid' })
  endpointId: string;

  /** The header `webhook-id`; its body is in the event log. */
  @Column({ type: 'uuid' })
  eventId: string;

  @Column({ type: 'text' })
  kind: DeliveryKind;

  @Column({ type: 'text', default: () => "'pending'::text" })
  status: DeliveryStatus;

  /** Since it was made, or last made once more on demand. */
  @Column({ type: 'integer', default: () => '0' })
  attemptCount: number;

  @Column({ type: 'integer' })
  retriesLeft: number;

  /** Null once it is delivered or has failed. */
  @Column({ type: 'timestamptz', nullable: true, default: () => 'now()' })
  nextAttemptAt: Date | null;

  /** Until then one process alone may attempt it. */
  @Column({ type: 'timestamptz', nullable: true })
  leaseUntil: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
