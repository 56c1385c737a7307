import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An event that is not fanned out yet. */
@Entity('outbox')
export class OutboxEntry {
  @PrimaryColumn({ type: 'uuid' })
  eventId: string;

  @Column({ type: 'uuid' })
  accountId: string;

  @Column({ type: 'text' })
  kind: string;

  /** The bytes that are delivered, so that a first attempt need not look into the log; null: they are to be read there. */
  @Column({ type: 'text', nullable: true })
  body: string | null;
}
