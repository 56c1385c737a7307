import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key that makes a POST safe to repeat, with its answer once there is one. */
@Entity('idempotency_keys')
export class IdempotencyKey {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  family: string;

  @PrimaryColumn({ type: 'text' })
  idempotencyKey: string;

  @Column({ type: 'bytea' })
  fingerprint: Buffer;

  @Column({ type: 'uuid' })
  owner: string;

  @Column({ type: 'timestamptz' })
  leaseUntil: Date;

  /** The row that the request made, committed together with it: what a dead owner's key is answered from. */
  @Column({ type: 'uuid', nullable: true })
  recordId: string | null;

  @Column({ type: 'integer', nullable: true })
  statusCode: number | null;

  /** The stored body, encrypted; null while in progress. */
  @Column({ type: 'text', nullable: true })
  response: string | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
