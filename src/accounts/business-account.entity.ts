import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The messaging limit of a portfolio that has none, in the network's words. */
export const UNLIMITED = -1;

/** A business account on the network, and what keeps it from sending. */
@Entity('business_accounts')
export class BusinessAccount {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'text' })
  wabaId: string;

  /** Why the network keeps this business from sending; null when it does not. */
  @Column({ type: 'text', nullable: true })
  restriction: string | null;

  /** When the network told so; null while it has told nothing. */
  @Column({ type: 'timestamptz', nullable: true })
  restrictionToldAt: Date | null;

  /** The business portfolio that owns it; null while unknown. */
  @Column({ type: 'text', nullable: true })
  portfolioId: string | null;

  /** People that its portfolio may reach in 24 hours, {@link UNLIMITED} = no limit; null while unknown. */
  @Column({ type: 'integer', nullable: true })
  messagingLimit: number | null;

  /** When the network told so; null while it has told nothing. */
  @Column({ type: 'timestamptz', nullable: true })
  messagingLimitToldAt: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
