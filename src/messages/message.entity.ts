import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { MessageStatus } from './message-status.js';

/** The network's pricing of a message, in its own terms. */
export interface Pricing {
  readonly category?: string;
  readonly pricing_model?: string;
  readonly billable?: boolean;
  readonly type?: string;
}

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

  /** The message that it quotes, answers, or reacts to. */
  @Column({ type: 'uuid', nullable: true })
  contextMessageId: string | null;

  /** The agent on whose behalf the API sent it; null: none was named. */
  @Column({ type: 'uuid', nullable: true })
  agentUserId: string | null;

  /** Whether that agent sent it in the console; null: somebody else did. */
  @Column({ type: 'boolean', nullable: true })
  byPerson: boolean | null;

  /** What the caller calls it. */
  @Column({ type: 'text', nullable: true })
  reference: string | null;

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

  /** What the network delivered; null for messages of ours, and once it was revoked or its person erased. */
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
  /** By the network's clock, as the time of its sender. */
  @Column({ type: 'timestamptz', nullable: true })
  editedAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  revokedAt: Date | null;

  /** Hashes of the network's ids of the edits and revocations that were applied. */
  @Column({ type: 'text', array: true, nullable: true })
  changeIds: string[] | null;
}
