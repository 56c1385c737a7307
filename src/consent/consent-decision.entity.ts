import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordId } from '../values/record-id.js';
import type { DecidedBy, EvidenceKind } from './decision.js';

/** A decision about marketing messages in a contact's ledger. */
@Entity('consent_decisions')
export class ConsentDecision {
  @PrimaryColumn({ type: 'uuid' })
  accountId: RecordId;

  @PrimaryColumn({ type: 'uuid' })
  contactId: RecordId;

  /** The order in which decisions arrived. */
  @PrimaryColumn({ type: 'bigint', insert: false, update: false })
  number: string;

  @Column({ type: 'boolean' })
  optedIn: boolean;

  @Column({ type: 'text' })
  decidedBy: DecidedBy;

  @Column({ type: 'timestamptz' })
  decidedAt: Date;

  @Column({ type: 'text', nullable: true })
  evidenceKind: EvidenceKind | null;

  @Column({ type: 'text', nullable: true })
  evidenceId: string | null;
}
