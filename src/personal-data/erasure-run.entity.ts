import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordId } from '../values/record-id.js';

/** The progress of one pass over an account's tables for its erasures. */
@Entity('erasure_runs')
export class ErasureRun {
  @PrimaryColumn({ type: 'uuid' })
  accountId: RecordId;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  startedAt: Date;

  /** Where the event log is read from; older events no longer contain anything about the erased contacts. */
  @Column({ type: 'uuid' })
  logFrom: RecordId;

  @Column({ type: 'text' })
  step: string;

  /** The position within the step; null when it has not started. */
  @Column({ type: 'text', nullable: true })
  position: string | null;
}
