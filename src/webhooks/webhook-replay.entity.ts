import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventKind } from '../outbox/event.js';

/** The last replay of past events to an endpoint: under way, or over. */
@Entity('webhook_replays')
export class WebhookReplay {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  endpointId: string;

  @Column({ type: 'timestamptz' })
  since: Date;

  @Column({ type: 'text', array: true })
  kinds: EventKind[];

  /** Events with ids up to this one have been looked at. */
  @Column({ type: 'uuid' })
  doneUntil: string;

  /** The first id that is not meant: events that came after the request are delivered anyway. */
  @Column({ type: 'uuid' })
  endsBefore: string;

  /** Deliveries that it has made. */
  @Column({ type: 'integer', default: () => '0' })
  replayed: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  startedAt: Date;

  /** Null while it is under way. */
  @Column({ type: 'timestamptz', nullable: true })
  finishedAt: Date | null;
}
