import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordId } from '../values/record-id.js';

/** A contact in a group. */
@Entity('group_members')
export class GroupMember {
  @PrimaryColumn({ type: 'uuid' })
  accountId: RecordId;

  @PrimaryColumn({ type: 'uuid' })
  groupId: RecordId;

  @PrimaryColumn({ type: 'uuid' })
  contactId: RecordId;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  addedAt: Date;
}
