import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordId } from '../../values/record-id.js';

/** A person who was erased after opting out; a new contact with the same identity starts opted out. */
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
