import { Column, Entity, PrimaryColumn } from 'typeorm';
import { NIL_ID, type RecordId } from '../values/record-id.js';

/** The progress of masking an account's one-time codes from before the release that masks them. */
@Entity('code_masking_runs')
export class CodeMaskingRun {
  @PrimaryColumn({ type: 'uuid' })
  accountId: RecordId;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  startedAt: Date;

  /** Finished passes over the tables. */
  @Column({ type: 'integer', default: () => '0' })
  passes: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  dueAt: Date;

  @Column({ type: 'text', default: () => "'messages'::text" })
  step: string;

  /** The last message or campaign that the step has come to. */
  @Column({ type: 'uuid', default: () => `'${NIL_ID}'::uuid` })
  position: RecordId;
}
