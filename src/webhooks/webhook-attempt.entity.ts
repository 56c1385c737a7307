import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One delivery attempt. */
@Entity('webhook_attempts')
export class WebhookAttempt {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  deliveryId: string;

  @PrimaryColumn({ type: 'timestamptz' })
  at: Date;

  /** Null when there was no response. */
  @Column({ type: 'integer', nullable: true })
  statusCode: number | null;

  @Column({ type: 'integer' })
  durationMs: number;

  /** Why it failed, in plain words; null for a success. */
  @Column({ type: 'text', nullable: true })
  error: string | null;

  /** The first 1 KiB of the response; null when there was none. */
  @Column({ type: 'text', nullable: true })
  response: string | null;

  /** What was odd about the response, in plain words; null if nothing was. */
  @Column({ type: 'text', nullable: true })
  note: string | null;
}
