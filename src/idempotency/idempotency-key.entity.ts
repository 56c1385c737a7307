import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key that makes a POST safe to repeat, and its answer once known. */
@Entity('idempotency_keys')
export class IdempotencyKey {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  family: string;

  @PrimaryColumn({ type: 'text' })
  idempotencyKey: string;

  /** Keyed hash of method, path and body. */
  @Column({ type: 'bytea' })
  fingerprint: Buffer;

  @Column({ type: 'uuid' })
  owner: string;

  @Column({ type: 'timestamptz' })
  leaseUntil: Date;

  /** The record the request created, committed together with it. If the owner dies, the key is answered from it. */
  @Column({ type: 'uuid', nullable: true })
  recordId: string | null;

  @Column({ type: 'integer', nullable: true })
  statusCode: number | null;

  /** The stored body, encrypted; null while in progress. */
  @Column({ type: 'text', nullable: true })
  response: string | null;

  /** The keys and secrets of the body, encrypted; null if there are none. Only a replay decrypts them. */
  @Column({ type: 'text', nullable: true })
  shownOnce: string | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
