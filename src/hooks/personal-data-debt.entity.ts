import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordId } from '../values/record-id.js';

/** A contact that was erased or merged, and a source of personal data that could not follow yet. */
@Entity('personal_data_debts')
export class PersonalDataDebt {
  @PrimaryColumn({ type: 'uuid' })
  accountId: RecordId;

  @PrimaryColumn({ type: 'uuid' })
  contactId: RecordId;

  /** The room of the source. */
  @PrimaryColumn({ type: 'text' })
  source: string;

  /** Failed attempts since the first. */
  @Column({ type: 'integer', default: () => '0' })
  retries: number;

  /** When it is tried again. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  dueAt: Date;
}
