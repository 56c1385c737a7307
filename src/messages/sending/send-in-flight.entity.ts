import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A batch of messages handed to the network whose outcome is not known. */
@Entity('sends_in_flight')
export class SendInFlight {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'uuid', nullable: true })
  campaignId: string | null;

  @Column({ type: 'uuid', array: true })
  messageIds: string[];

  /** Until then a campaign's worker may still be at it; null: nobody is. */
  @Column({ type: 'timestamptz', nullable: true })
  leaseUntil: Date | null;

  /** When messages of which nothing was learned count as failed. */
  @Column({ type: 'timestamptz' })
  settleAt: Date;

  /** True: they were provably not sent, and will not be. */
  @Column({ type: 'boolean', default: () => 'false' })
  unsent: boolean;
}
