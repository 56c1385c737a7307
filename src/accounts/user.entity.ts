import { Column, Entity, PrimaryColumn } from 'typeorm';

export type UserRole = 'owner' | 'admin' | 'manager' | 'agent';
export type UserStatus = 'active' | 'deactivated';

/** A person: an agent of an organisation, or the owner of an account. */
@Entity('users')
export class User {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'uuid', nullable: true })
  organisationId: string | null;

  @Column({ type: 'text' })
  fullName: string;

  @Column({ type: 'text' })
  email: string;

  /** Another member had the same address, apart from its case, when addresses began to compare without it. */
  @Column({ type: 'boolean', default: () => 'false' })
  emailClashes: boolean;

  /** argon2id; null until a password is chosen. Read only where it is compared. */
  @Column({ type: 'text', nullable: true, select: false })
  passwordHash: string | null;

  @Column({ type: 'text' })
  role: UserRole;

  @Column({ type: 'text', default: () => "'active'::text" })
  status: UserStatus;

  /** Deactivated, and may still hold open conversations, which a sweep releases. */
  @Column({ type: 'boolean', default: () => 'false' })
  releasesThreads: boolean;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
