import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordId } from '../../values/record-id.js';

/** Somebody who had opted out when they were erased: a new contact of theirs begins opted out. */
@Entity('suppressions')
export class Suppression {
  @PrimaryColumn({ type: 'uuid' })
  accountId: RecordId;

  /** Keyed hash of a number or a user id. */
  @PrimaryColumn({ type: 'text' })
  identityHash: string;

  @Column({ type: 'timestamptz' })
  optedOutAt: Date;
}
