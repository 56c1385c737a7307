import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Why credits move: bought, reserved for a campaign, refunded, or spent on a send. */
export type MovementKind = 'credit' | 'reserve' | 'refund' | 'charge';

/** A movement of credits, or a batch of movements of one kind that commit together. */
@Entity('wallet_entries')
export class WalletEntry {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  kind: MovementKind;

  /** Credits, negative when they leave the wallet. */
  @Column({ type: 'bigint' })
  amount: number;

  @Column({ type: 'uuid', nullable: true })
  campaignId: string | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
