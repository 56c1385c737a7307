import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A logged event. */
@Entity('events')
export class LoggedEvent {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'timestamptz' })
  occurredAt: Date;

  @Column({ type: 'text' })
  kind: string;

  /** The contact the event is about; null for none, and for events logged before this column existed. */
  @Column({ type: 'uuid', nullable: true })
  contactId: string | null;

  /** The exact body of every delivery. */
  @Column({ type: 'text' })
  body: string;
}
