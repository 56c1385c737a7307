import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A batch of messages handed to the network, some of which may have no known outcome yet. */
@Entity('sends_in_flight')
export class SendInFlight {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  /** Null for single sends. */
  @Column({ type: 'uuid', nullable: true })
  campaignId: string | null;

  @Column({ type: 'uuid', array: true })
  messageIds: string[];

  /** Until then a campaign's worker may still be sending it; null: no worker is. */
  @Column({ type: 'timestamptz', nullable: true })
  leaseUntil: Date | null;

  /** When messages without a report count as failed. */
  @Column({ type: 'timestamptz' })
  settleAt: Date;

  /** True: the messages were provably not sent, and will not be. */
  @Column({ type: 'boolean', default: () => 'false' })
  unsent: boolean;
}
