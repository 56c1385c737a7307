import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the log was searched for messages of an age that have no report. */
@Entity('silence_looks')
export class SilenceLook {
  @PrimaryColumn({ type: 'integer' })
  afterDays: number;

  /** Messages whose ids are from before this time were looked at. */
  @Column({ type: 'timestamptz' })
  lookedUntil: Date;
}
