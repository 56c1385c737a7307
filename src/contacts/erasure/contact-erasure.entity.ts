import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordId } from '../../values/record-id.js';

/** An erased contact, and the progress of removing its data from other tables. */
@Entity('contact_erasures')
export class ContactErasure {
  @PrimaryColumn({ type: 'uuid' })
  accountId: RecordId;

  @PrimaryColumn({ type: 'uuid' })
  contactId: RecordId;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  requestedAt: Date;

  /** The tokens by which the person is found in texts, encrypted; null once they are no longer needed. */
  @Column({ type: 'text', nullable: true })
  identity: string | null;

  /** Completed passes over all tables. */
  @Column({ type: 'integer', default: () => '0' })
  passes: number;

  /** When the next pass is due; null when the erasure is complete. */
  @Column({ type: 'timestamptz', nullable: true, default: () => 'now()' })
  dueAt: Date | null;

  /** Whether the account's current run includes this contact. */
  @Column({ type: 'boolean', default: () => 'false' })
  inRun: boolean;

  /** Whether a process of the current or last run could not decrypt the tokens, so texts were not searched for them. */
  @Column({ type: 'boolean', default: () => 'false' })
  isUnreadable: boolean;

  /** Since when nothing that identifies the person is stored, not even here. */
  @Column({ type: 'timestamptz', nullable: true })
  clearedAt: Date | null;
}
