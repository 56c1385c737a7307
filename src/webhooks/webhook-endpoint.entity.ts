import { Column, Entity, PrimaryColumn } from 'typeorm';

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

  /** Whether another endpoint of the account has the same URL, from before URLs were kept in one spelling. */
  @Column({ type: 'boolean', default: () => 'false' })
  isDuplicate: boolean;

  /** Encrypted; null when deliveries are not signed. */
  @Column({ type: 'text', nullable: true })
  secret: string | null;

  /** The secret that was replaced last, encrypted. It also signs until {@link previousSecretUntil}. */
  @Column({ type: 'text', nullable: true })
  previousSecret: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  previousSecretUntil: Date | null;

  /** Secrets replaced before {@link previousSecret}, encrypted, newest first. */
  @Column({ type: 'text', array: true, default: () => "'{}'::text[]" })
  olderSecrets: string[];

  /** Until when each of {@link olderSecrets} also signs. */
  @Column({ type: 'timestamptz', array: true, default: () => "'{}'::timestamp with time zone[]" })
  olderSecretsUntil: Date[];

  /** Headers of every delivery besides our own, encrypted; null when there are none. */
  @Column({ type: 'text', nullable: true })
  headers: string | null;

  /** The names of {@link headers}, in lower case. */
  @Column({ type: 'text', array: true, default: () => "'{}'::text[]" })
  headerNames: string[];

  @Column({ type: 'text', array: true })
  subscribedEvents: string[];

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

  /** Deliveries that have failed for good since the last success. */
  @Column({ type: 'integer', default: () => '0' })
  failedDeliveries: number;

  /** When the first of {@link failedDeliveries} failed; null when there are none. */
  @Column({ type: 'timestamptz', nullable: true })
  failingSince: Date | null;

  /** When it was deleted; a sweep then removes its data. */
  @Column({ type: 'timestamptz', nullable: true })
  deletedAt: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
