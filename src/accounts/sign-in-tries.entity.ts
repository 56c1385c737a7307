import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Failed attempts to sign in with an e-mail address, whether anybody has it or not, or for one user at one IP address. */
@Entity('sign_in_tries')
export class SignInTries {
  /** SHA-256 of what is counted, in lower case: an e-mail address may be a stranger's. */
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
