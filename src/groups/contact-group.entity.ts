import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordId } from '../values/record-id.js';

/** A named set of contacts. */
@Entity('contact_groups')
export class ContactGroup {
  @PrimaryColumn({ type: 'uuid' })
  accountId: RecordId;

  @PrimaryColumn({ type: 'uuid' })
  id: RecordId;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text', nullable: true })
  description: string | null;

  @Column({ type: 'text', array: true, default: () => "'{}'::text[]" })
  tags: string[];

  /** A deleted group is hidden; its members are removed in small batches, then the row. */
  @Column({ type: 'timestamptz', nullable: true })
  deletedAt: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
