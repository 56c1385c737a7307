import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordId } from '../values/record-id.js';

/** How far the tables of an account have been gone through for its erasures. */
@Entity('erasure_runs')
export class ErasureRun {
  @PrimaryColumn({ type: 'uuid' })
  accountId: RecordId;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  startedAt: Date;

  /** Where the log of events is read from: what is older holds nothing of them any more. */
  @Column({ type: 'uuid' })
  logFrom: RecordId;

  @Column({ type: 'text' })
  step: string;

  /** What the step has come to; null: it has not begun. */
  @Column({ type: 'text', nullable: true })
  position: string | null;
}
