import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key for keyed hashes. The key never changes, even when it is re-encrypted. */
@Entity('hash_keys')
export class HashKey {
  @PrimaryColumn({ type: 'text' })
  name: string;

  /** Encrypted. */
  @Column({ type: 'text' })
  secret: string;
}
