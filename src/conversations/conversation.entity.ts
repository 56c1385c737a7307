import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordId } from '../values/record-id.js';
import type { ConversationStatus } from './conversation-state.js';

/** The conversation between a contact and a business phone. */
@Entity('conversations')
export class Conversation {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  contactId: RecordId;

  @PrimaryColumn({ type: 'uuid' })
  businessPhoneId: RecordId;

  @Column({ type: 'text', default: () => "'open'::text" })
  status: ConversationStatus;

  @Column({ type: 'uuid', nullable: true })
  assignedTo: RecordId | null;

  @Column({ type: 'timestamptz', nullable: true })
  assignedAt: Date | null;

  /**
   * When status or assignee last changed. Changes are at least 1 ms apart, so that a conversation's events can be
   * ordered by timestamp.
   */
  @Column({ type: 'timestamptz', nullable: true })
  changedAt: Date | null;

  /** The latest inbound message's own timestamp; it opens the service window for 24 hours. */
  @Column({ type: 'timestamptz', nullable: true })
  lastInboundAt: Date | null;

  /** When the automatic reply of the current service window was claimed. */
  @Column({ type: 'timestamptz', nullable: true })
  autoRepliedAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  lastMessageAt: Date | null;

  @Column({ type: 'text', nullable: true })
  lastMessagePreview: string | null;

  /** The time of the first message of the contact that nobody has answered; null if nobody waits. */
  @Column({ type: 'timestamptz', nullable: true })
  waitingSince: Date | null;

  /** The message that ended the last wait, while nothing came in after it: if it fails, the contact waits again. */
  @Column({ type: 'uuid', nullable: true })
  answerId: RecordId | null;

  /** What `waitingSince` was before that message. */
  @Column({ type: 'timestamptz', nullable: true })
  waitedSince: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  /** The sort key of lists: the time of the last message, or of creation if there is none. */
  @Column({ type: 'timestamptz', asExpression: 'COALESCE(last_message_at, created_at)', generatedType: 'STORED' })
  activeAt: Date;
}
