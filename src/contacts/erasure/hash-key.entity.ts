import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key that hashes are made with; it never changes, whatever it is encrypted under. */
@Entity('hash_keys')
export class HashKey {
  @PrimaryColumn({ type: 'text' })
  name: string;

  /** Encrypted. */
  @Column({ type: 'text' })
  secret: string;
}
