import { Column, Entity, PrimaryColumn } from 'typeorm';

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

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
