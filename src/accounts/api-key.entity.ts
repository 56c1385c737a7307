import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An API key of one account. */
@Entity('api_keys')
export class ApiKey {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  prefix: string;

  /** SHA-256 of the secret part; the key itself is never stored. */
  @Column({ type: 'bytea' })
  secretHash: Buffer;

  @Column({ type: 'text', array: true })
  scopes: string[];

  @Column({ type: 'integer', default: () => '100' })
  rateLimit: number;

  /** Shared by a key and its rotations, so that they share idempotency keys and the rate limit. */
  @Column({ type: 'uuid' })
  idempotencyFamily: string;

  /** CIDRs that the key may be used from; null: from anywhere. */
  @Column({ type: 'text', array: true, nullable: true })
  allowedNetworks: string[] | null;

  @Column({ type: 'timestamptz', nullable: true })
  expiresAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  lastUsedAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  revokedAt: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
