import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A status report that matches no message yet. */
@Entity('parked_reports')
export class ParkedReport {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  networkMessageId: string;

  @Column({ type: 'json' })
  report: unknown;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  receivedAt: Date;

  /** When to look for its message again; the interval doubles. */
  @Column({ type: 'timestamptz', default: () => "(now() + '00:00:01'::interval)" })
  lookAt: Date;
}
