import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key for keyed hashes. The key never changes, even when it is re-encrypted. */
@Entity('hash_keys')
export class HashKey {
  @PrimaryColumn({ type: 'text' })
  name: string;

  /** Encrypted. */
  @Column({ type: 'text' })
  secret: string;

  /** Null when a release made the key that did not record this. */
  @Column({ type: 'timestamptz', nullable: true, default: () => 'now()' })
  createdAt: Date | null;
}
