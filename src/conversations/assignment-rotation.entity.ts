import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordId } from '../values/record-id.js';

/** Whose turn it is in an organisation. */
@Entity('assignment_rotations')
export class AssignmentRotation {
  @PrimaryColumn({ type: 'uuid' })
  organisationId: RecordId;

  /** Who was given the latest conversation; the next active member by id is next. */
  @Column({ type: 'uuid', nullable: true })
  lastUserId: RecordId | null;
}
