import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordId } from '../values/record-id.js';
import type { ChangeSource } from './conversation-event.js';

/** A time during which somebody held a conversation. */
@Entity('conversation_assignments')
export class ConversationAssignment {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  contactId: RecordId;

  @PrimaryColumn({ type: 'uuid' })
  businessPhoneId: RecordId;

  @PrimaryColumn({ type: 'timestamptz' })
  heldFrom: Date;

  /** Null while they hold it; at most one row of a conversation is so. */
  @Column({ type: 'timestamptz', nullable: true })
  heldUntil: Date | null;

  @Column({ type: 'uuid' })
  userId: RecordId;

  /** From whom it was taken directly: then this was a reassignment. */
  @Column({ type: 'uuid', nullable: true })
  previousUserId: RecordId | null;

  @Column({ type: 'text' })
  source: ChangeSource;

  /** Null: an automatic rule. */
  @Column({ type: 'uuid', nullable: true })
  assignedBy: RecordId | null;

  @Column({ type: 'text', nullable: true })
  note: string | null;
}
