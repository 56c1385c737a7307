import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Failed attempts to sign in with an e-mail address, whether anybody has it or not. */
@Entity('sign_in_tries')
export class SignInTries {
  /** SHA-256 of the address in lower case: it may be a stranger's. */
  @PrimaryColumn({ type: 'bytea' })
  emailHash: Buffer;

  /** Since the last success. */
  @Column({ type: 'integer' })
  failures: number;

  @Column({ type: 'timestamptz' })
  lastAt: Date;

  @Column({ type: 'timestamptz' })
  blockedUntil: Date;

  /** When a refusal was last written to the audit log. */
  @Column({ type: 'timestamptz', nullable: true })
  toldAt: Date | null;
}
