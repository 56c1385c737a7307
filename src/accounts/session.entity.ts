import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Somebody who has signed in, in one browser. */
@Entity('sessions')
export class Session {
  @PrimaryColumn({ type: 'uuid' })
  userId: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  /** SHA-256 of the cookie, which is never stored. */
  @Column({ type: 'bytea' })
  tokenHash: Buffer;

  /** Whether they came by a link, and have to choose a password before anything else. */
  @Column({ type: 'boolean' })
  mustSetPassword: boolean;

  @Column({ type: 'timestamptz' })
  createdAt: Date;

  /** When it last made a request, up to a few seconds late. */
  @Column({ type: 'timestamptz' })
  seenAt: Date;

  /** The IP address from which they signed in. */
  @Column({ type: 'text', nullable: true })
  address: string | null;

  /** The browser's `User-Agent`. */
  @Column({ type: 'text', nullable: true })
  device: string | null;
}
