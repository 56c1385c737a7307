import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Something that happened, with the exact text of every delivery. */
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

  /** Whom it tells of; null: nobody, or logged before this was noted. */
  @Column({ type: 'uuid', nullable: true })
  contactId: string | null;

  /** The exact text of every delivery. */
  @Column({ type: 'text' })
  body: string;
}
