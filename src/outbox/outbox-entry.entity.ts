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
}
