import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoredRestrictions } from './restrictions.js';

/** The network's value for a portfolio without a messaging limit. */
export const UNLIMITED = -1;

/** A business account on the network, with its right to send and its messaging limit. */
@Entity('business_accounts')
export class BusinessAccount {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'text' })
  wabaId: string;

  /** What the network last said about each of its restrictions. */
  @Column({ type: 'jsonb', default: () => "'{}'::jsonb" })
  restrictions: StoredRestrictions;

  // The next five are only for processes of the release before, whose writes a trigger copies into `restrictions`.
  @Column({ type: 'text', nullable: true })
  ban: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  banToldAt: Date | null;

  @Column({ type: 'text', nullable: true })
  restriction: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  restrictionToldAt: Date | null;

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

  /** When its last phone was removed, so that any account may have it; null while it has phones. */
  @Column({ type: 'timestamptz', nullable: true })
  releasedAt: Date | null;
}
