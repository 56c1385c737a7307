import type { RecordId } from 'parley';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A note. */
@Entity('notes_notes')
export class Note {
  @PrimaryColumn({ type: 'uuid' })
  accountId: RecordId;

  @PrimaryColumn({ type: 'uuid' })
  id: RecordId;

  @Column({ type: 'text' })
  text: string;
}
