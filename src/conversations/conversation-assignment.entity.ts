import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordId } from '../values/record-id.js';
import type { ChangeSource } from './conversation-event.js';

/** A period during which a conversation was assigned to one user. */
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

  /** Null for the current assignment; a conversation has at most one. */
  @Column({ type: 'timestamptz', nullable: true })
  heldUntil: Date | null;

  @Column({ type: 'uuid' })
  userId: RecordId;

  /** The previous assignee if this was a direct reassignment, else null. */
  @Column({ type: 'uuid', nullable: true })
  previousUserId: RecordId | null;

  @Column({ type: 'text' })
  source: ChangeSource;

  /** Null for an automatic rule. */
  @Column({ type: 'uuid', nullable: true })
  assignedBy: RecordId | null;

  @Column({ type: 'text', nullable: true })
  note: string | null;

  /** Whether the timeline has an entry for it; older releases wrote none. */
  @Column({ type: 'boolean', default: () => 'false' })
  hasEntry: boolean;
}
