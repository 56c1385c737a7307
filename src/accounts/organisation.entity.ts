import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An employer of agents, and its rules for new inbound conversations. */
@Entity('organisations')
export class Organisation {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'boolean', default: () => 'false' })
  autoInbound: boolean;

  @Column({ type: 'text', nullable: true })
  autoReply: string | null;

  /** A member, checked when it is set. */
  @Column({ type: 'uuid', nullable: true })
  autoReplyUserId: string | null;

  @Column({ type: 'text', array: true, default: () => '\'{STOP,UNSUBSCRIBE,"OPT OUT"}\'::text[]' })
  stopWords: string[];

  @Column({ type: 'text', array: true, default: () => "'{START}'::text[]" })
  startWords: string[];

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
