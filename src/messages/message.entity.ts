import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Pricing } from './reports/message-report.js';
import type { MessageStatus } from './reports/message-status.js';

/** An inbound or outbound message, with the set of reports seen about it. */
@Entity('messages')
export class Message {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  direction: 'in' | 'out';

  @Column({ type: 'uuid' })
  contactId: string;

  @Column({ type: 'uuid' })
  businessPhoneId: string;

  @Column({ type: 'uuid', nullable: true })
  campaignId: string | null;

  @Column({ type: 'uuid', nullable: true })
  contextMessageId: string | null;

  @Column({ type: 'text' })
  messageType: string;

  @Column({ type: 'text', default: () => "''::text" })
  content: string;

  @Column({ type: 'text', nullable: true })
  templateName: string | null;

  /** Inbound messages are `received`. */
  @Column({ type: 'text' })
  status: MessageStatus | 'received';

  /** Bit set of the reports seen and of retries, see message-status.ts; the status is derived from it. */
  @Column({ type: 'integer', default: () => '0' })
  seen: number;

  @Column({ type: 'text', nullable: true })
  networkMessageId: string | null;

  @Column({ type: 'integer', nullable: true })
  errorCode: number | null;

  @Column({ type: 'text', nullable: true })
  errorMessage: string | null;

  /** What the network charges; null until a report contains it. */
  @Column({ type: 'jsonb', nullable: true })
  pricing: Pricing | null;

  @Column({ type: 'json', nullable: true })
  payload: unknown | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', nullable: true })
  acceptedAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  sentAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  deliveredAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  readAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  clickedAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  failedAt: Date | null;
}
