import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The latest replay of past events to an endpoint, running, finished or cancelled. */
@Entity('webhook_replays')
export class WebhookReplay {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  endpointId: string;

  @Column({ type: 'timestamptz' })
  since: Date;

  @Column({ type: 'text', array: true })
  kinds: string[];

  /** Events with ids up to this one have been processed. */
  @Column({ type: 'uuid' })
  doneUntil: string;

  /** Exclusive upper bound for event ids: events after the request are delivered anyway. */
  @Column({ type: 'uuid' })
  endsBefore: string;

  /** Deliveries created so far. */
  @Column({ type: 'integer', default: () => '0' })
  replayed: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  startedAt: Date;

  /** Null while it is running. */
  @Column({ type: 'timestamptz', nullable: true })
  finishedAt: Date | null;

  @Column({ type: 'boolean', default: () => 'false' })
  cancelled: boolean;
}
