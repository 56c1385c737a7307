import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordId } from '../values/record-id.js';
import type { ChangeSource } from './conversation-event.js';
import type { ConversationTransition } from './conversation-state.js';

/** What stands in a thread beside its messages: a change of its state, or a note. */
@Entity('conversation_entries')
export class ConversationEntry {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  contactId: RecordId;

  @PrimaryColumn({ type: 'uuid' })
  businessPhoneId: RecordId;

  /** Holds the time, like the ids of messages, so that both sort as one line of time. */
  @PrimaryColumn({ type: 'uuid' })
  id: RecordId;

  @Column({ type: 'text' })
  kind: ConversationTransition['kind'] | 'note';

  @Column({ type: 'timestamptz' })
  at: Date;

  @Column({ type: 'text' })
  source: ChangeSource;

  /** Null for nobody who is known, such as an automatic rule. */
  @Column({ type: 'uuid', nullable: true })
  actorId: RecordId | null;

  /** The assignee after a change, or null. */
  @Column({ type: 'uuid', nullable: true })
  assignedTo: RecordId | null;

  /** Who lost the conversation in a change, or null. */
  @Column({ type: 'uuid', nullable: true })
  previousAssigneeId: RecordId | null;

  /** The text of a note, or what was noted when the conversation was assigned. */
  @Column({ type: 'text', nullable: true })
  note: string | null;

  /** Why the conversation was resolved or released. */
  @Column({ type: 'text', nullable: true })
  reason: string | null;
}
