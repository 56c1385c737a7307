import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The network's value for a portfolio without a messaging limit. */
export const UNLIMITED = -1;

/** A business account on the network, with its right to send and its messaging limit. */
@Entity('business_accounts')
export class BusinessAccount {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'text' })
  wabaId: string;

  /** Why the network has banned this business, until it reinstates it; null when it has not. */
  @Column({ type: 'text', nullable: true })
  ban: string | null;

  /** When the network reported {@link ban}; null if never. */
  @Column({ type: 'timestamptz', nullable: true })
  banToldAt: Date | null;

  /** How the network restricts this business's sending; null when it does not. */
  @Column({ type: 'text', nullable: true })
  restriction: string | null;

  /** When the network reported {@link restriction}; null if never. */
  @Column({ type: 'timestamptz', nullable: true })
  restrictionToldAt: Date | null;

  /** When {@link restriction} ends by itself; null if only the network can lift it. */
  @Column({ type: 'timestamptz', nullable: true })
  restrictionExpiresAt: Date | null;

  /** The business portfolio that owns it; null while unknown. */
  @Column({ type: 'text', nullable: true })
  portfolioId: string | null;

  /** People its portfolio may message per 24 hours, {@link UNLIMITED} = no limit; null while unknown. */
  @Column({ type: 'integer', nullable: true })
  messagingLimit: number | null;

  /** When the network reported {@link messagingLimit}; null if never. */
  @Column({ type: 'timestamptz', nullable: true })
  messagingLimitToldAt: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
