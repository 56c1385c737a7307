import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A link that signs somebody in once. */
@Entity('sign_in_links')
export class SignInLink {
  @PrimaryColumn({ type: 'uuid' })
  userId: string;

  /** SHA-256 of the token in the link, which is never stored. */
  @PrimaryColumn({ type: 'bytea' })
  tokenHash: Buffer;

  /** Whether whoever uses it has to choose a password. */
  @Column({ type: 'boolean' })
  asksPassword: boolean;

  @Column({ type: 'timestamptz' })
  createdAt: Date;

  /** Null: valid until it is used. */
  @Column({ type: 'timestamptz', nullable: true })
  expiresAt: Date | null;
}
