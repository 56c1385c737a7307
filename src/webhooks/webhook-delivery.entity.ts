import { Column, Entity, PrimaryColumn } from 'typeorm';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The delivery of one event to one endpoint. */
@Entity('webhook_deliveries')
export class WebhookDelivery {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'uuid' })
  endpointId: string;

  /** Sent as the `webhook-id` header. The event's body is in the event log. */
  @Column({ type: 'uuid' })
  eventId: string;

  @Column({ type: 'text' })
  kind: string;

  @Column({ type: 'text', default: () => "'pending'::text" })
  status: DeliveryStatus;

  /** Attempts since it was created or last redelivered. */
  @Column({ type: 'integer', default: () => '0' })
  attemptCount: number;

  @Column({ type: 'integer' })
  retriesLeft: number;

  /** Null once it has been delivered or has failed. */
  @Column({ type: 'timestamptz', nullable: true, default: () => 'now()' })
  nextAttemptAt: Date | null;

  /** Until then, only the process that holds the lease may attempt it. */
  @Column({ type: 'timestamptz', nullable: true })
  leaseUntil: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
