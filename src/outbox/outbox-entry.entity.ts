import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An event that has not been fanned out yet. */
@Entity('outbox')
export class OutboxEntry {
  @PrimaryColumn({ type: 'uuid' })
  eventId: string;

  @Column({ type: 'uuid' })
  accountId: string;

  @Column({ type: 'text' })
  kind: string;

  /** The delivered body, so that the first attempt need not read the event log; null: read it from there. */
  @Column({ type: 'text', nullable: true })
  body: string | null;
}
