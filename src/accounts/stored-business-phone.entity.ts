import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A phone of a business account. */
@Entity('business_phones')
export class StoredBusinessPhone {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  wabaId: string;

  /** The network's id; of a removed phone one that the network does not know, so that another may have it. */
  @Column({ type: 'text' })
  phoneNumberId: string;

  @Column({ type: 'text' })
  phone: string;

  /** Messages per second, 0 = no limit. */
  @Column({ type: 'integer', default: () => '80' })
  throughput: number;

  @Column({ type: 'boolean', default: () => 'false' })
  isPrimary: boolean;

  /** The network's rating: GREEN, YELLOW, RED or UNKNOWN; null until reported. */
  @Column({ type: 'text', nullable: true })
  quality: string | null;

  /** When the network reported {@link quality}; null if never. */
  @Column({ type: 'timestamptz', nullable: true })
  qualityToldAt: Date | null;

  /** When to look the phone up on the network again. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  lookUpAt: Date;

  /** Encrypted with AES-256-GCM, bound to account and row. */
  @Column({ type: 'text' })
  accessToken: string;

  /** When it was added, or added again; infinity once it is removed. The oldest phone is primary if none is flagged. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  /** When it was removed; null while it is in use. */
  @Column({ type: 'timestamptz', nullable: true })
  removedAt: Date | null;

  /** The app that gets its callbacks; null is the one in the environment. */
  @Column({ type: 'text', nullable: true })
  appId: string | null;
}
