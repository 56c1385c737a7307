import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordId } from '../values/record-id.js';
import type { DecidedBy, EvidenceKind } from './decision.js';

/**
 * A person without a contact who opted out: they were erased, or the network told us before they became one. A new
 * contact with the same identity starts opted out.
 */
@Entity('suppressions')
export class Suppression {
  @PrimaryColumn({ type: 'uuid' })
  accountId: RecordId;

  /** Keyed hash of a number or a user id. */
  @PrimaryColumn({ type: 'text' })
  identityHash: string;

  @Column({ type: 'timestamptz' })
  optedOutAt: Date;

  @Column({ type: 'text', default: () => "'person'::text" })
  optedOutBy: DecidedBy;

  @Column({ type: 'text', nullable: true })
  evidenceKind: EvidenceKind | null;

  @Column({ type: 'text', nullable: true })
  evidenceId: string | null;

  /** The same in all rows about one person, who opts in by any of them. */
  @Column({ type: 'uuid', default: () => 'gen_random_uuid()' })
  person: RecordId;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  writtenAt: Date;

  /** When contacts made while this row was being written are looked through; null when that is done. */
  @Column({ type: 'timestamptz', nullable: true, default: () => "(now() + '00:05:00'::interval)" })
  lookAt: Date | null;
}
