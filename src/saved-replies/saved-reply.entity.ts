import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordId } from '../values/record-id.js';

/** A text that people who answer customers can insert. */
@Entity('saved_replies')
export class SavedReply {
  @PrimaryColumn({ type: 'uuid' })
  accountId: RecordId;

  @PrimaryColumn({ type: 'uuid' })
  id: RecordId;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  text: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt: Date;
}
