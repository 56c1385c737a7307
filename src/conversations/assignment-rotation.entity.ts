import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordId } from '../values/record-id.js';

/** The position of an organisation's round-robin assignment. */
@Entity('assignment_rotations')
export class AssignmentRotation {
  @PrimaryColumn({ type: 'uuid' })
  organisationId: RecordId;

  /** The user who got the latest conversation; the next active member by id is next. */
  @Column({ type: 'uuid', nullable: true })
  lastUserId: RecordId | null;
}
