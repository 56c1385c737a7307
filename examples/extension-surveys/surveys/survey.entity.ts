import type { RecordId } from 'parley';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A question, and the options to answer it. */
@Entity('surveys_surveys')
export class Survey {
  @PrimaryColumn({ type: 'uuid' })
  accountId: RecordId;

  @PrimaryColumn({ type: 'uuid' })
  id: RecordId;

  @Column({ type: 'text' })
  question: string;

  @Column({ type: 'text', array: true })
  options: string[];

  /** From then on no answer counts. */
  @Column({ type: 'timestamptz' })
  closesAt: Date;

  /** When the sweep closed it; null while answers may arrive. */
  @Column({ type: 'timestamptz', nullable: true })
  closedAt: Date | null;

  /** How many contacts chose each option; null until they have been counted, after the end. */
  @Column({ type: 'integer', array: true, nullable: true })
  counts: number[] | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
