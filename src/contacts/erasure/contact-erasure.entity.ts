import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordId } from '../../values/record-id.js';

/** A contact that was erased, and what is still to be done about what it has left in other tables. */
@Entity('contact_erasures')
export class ContactErasure {
  @PrimaryColumn({ type: 'uuid' })
  accountId: RecordId;

  @PrimaryColumn({ type: 'uuid' })
  contactId: RecordId;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  requestedAt: Date;

  /** What the person is found by in texts, encrypted; null once that is over. */
  @Column({ type: 'text', nullable: true })
  identity: string | null;

  /** How often all tables have been gone through. */
  @Column({ type: 'integer', default: () => '0' })
  passes: number;

  /** When they are gone through next; null: no more. */
  @Column({ type: 'timestamptz', nullable: true, default: () => 'now()' })
  dueAt: Date | null;

  /** Whether the run of the account is about it. */
  @Column({ type: 'boolean', default: () => 'false' })
  inRun: boolean;

  /** Since when nothing that identifies is stored, not even here. */
  @Column({ type: 'timestamptz', nullable: true })
  clearedAt: Date | null;
}
