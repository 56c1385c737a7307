import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A callback, or part of one, that Parley could not use. */
@Entity('unhandled_callbacks')
export class UnhandledCallback {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'uuid', nullable: true })
  accountId: string | null;

  @Column({ type: 'text', nullable: true })
  field: string | null;

  @Column({ type: 'text' })
  reason: string;

  @Column({ type: 'json' })
  body: unknown;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  receivedAt: Date;
  /** A hash of what names the message that it changes, if that has not arrived yet. */
  @Column({ type: 'text', nullable: true })
  waitsFor: string | null;
}
