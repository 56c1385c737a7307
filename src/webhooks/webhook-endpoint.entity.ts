import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventKind } from '../outbox/event.js';

export const ENDPOINT_STATUSES = ['active', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** A URL to which events of the account are delivered. */
@Entity('webhook_endpoints')
export class WebhookEndpoint {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  url: string;

  /** Encrypted; null when deliveries are not signed. */
  @Column({ type: 'text', nullable: true })
  secret: string | null;

  /** The secret before a rotation, encrypted. It also signs until {@link previousSecretUntil}. */
  @Column({ type: 'text', nullable: true })
  previousSecret: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  previousSecretUntil: Date | null;

  @Column({ type: 'text', array: true })
  subscribedEvents: EventKind[];

  /** Retries after the first attempt. */
  @Column({ type: 'integer', default: () => '3' })
  retryCount: number;

  /** Seconds that an attempt may take. */
  @Column({ type: 'integer', default: () => '5' })
  timeout: number;

  @Column({ type: 'text', default: () => "'active'::text" })
  status: EndpointStatus;

  @Column({ type: 'text', nullable: true })
  disabledReason: string | null;

  /** When the first attempt after the last success failed; null while the endpoint is healthy. */
  @Column({ type: 'timestamptz', nullable: true })
  failingSince: Date | null;

  /** When it was deleted; a sweep then removes its data. */
  @Column({ type: 'timestamptz', nullable: true })
  deletedAt: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
