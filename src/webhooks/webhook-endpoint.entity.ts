import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventKind } from '../outbox/event.js';

export const ENDPOINT_STATUSES = ['active', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** A URL of the account to which its events are delivered (SPEC Events, D37). */
@Entity('webhook_endpoints')
export class WebhookEndpoint {
  @PrimaryColumn({ name: 'account_id', type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  url: string;

  /** Sealed (D39); null when deliveries are not signed. */
  @Column({ type: 'text', nullable: true })
  secret: string | null;

  /** The secret before a rotation, sealed; it signs too until {@link previousSecretUntil} (D38). */
  @Column({ name: 'previous_secret', type: 'text', nullable: true })
  previousSecret: string | null;

  @Column({ name: 'previous_secret_until', type: 'timestamptz', nullable: true })
  previousSecretUntil: Date | null;

  @Column({ name: 'subscribed_events', type: 'text', array: true })
  subscribedEvents: EventKind[];

  /** Retries after the first attempt. */
  @Column({ name: 'retry_count', type: 'integer' })
  retryCount: number;

  /** Seconds that an attempt may take. */
  @Column({ type: 'integer' })
  timeout: number;

  @Column({ type: 'text' })
  status: EndpointStatus;

  @Column({ name: 'disabled_reason', type: 'text', nullable: true })
  disabledReason: string | null;

  /** When the first attempt failed after the last success. */
  @Column({ name: 'failing_since', type: 'timestamptz', nullable: true })
  failingSince: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
