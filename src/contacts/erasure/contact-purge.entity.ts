import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordId } from '../../values/record-id.js';

/** An account whose contacts are all being erased. */
@Entity('contact_purges')
export class ContactPurge {
  @PrimaryColumn({ type: 'uuid' })
  accountId: RecordId;

  /** Contacts with lower ids are still to be erased; the highest ones go first. */
  @Column({ type: 'uuid' })
  below: RecordId;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  requestedAt: Date;
}
