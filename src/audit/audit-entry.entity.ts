import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ActorKind } from './actor.js';
import type { AuditAction, SubjectType } from './audit-action.js';

/** What changed: settings and counts, never secrets or personal data. */
export type AuditChanges = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** One change of an account, and who made it. */
@Entity('audit_entries')
export class AuditEntry {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  /** Holds the time of the change. */
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  actor: ActorKind;

  @Column({ type: 'uuid', nullable: true })
  apiKeyId: string | null;

  /** The name that the key had at the time. */
  @Column({ type: 'text', nullable: true })
  apiKeyName: string | null;

  @Column({ type: 'uuid', nullable: true })
  userId: string | null;

  /** The name that the user had at the time. */
  @Column({ type: 'text', nullable: true })
  userName: string | null;

  @Column({ type: 'text' })
  action: AuditAction;

  @Column({ type: 'text' })
  subjectType: SubjectType;

  @Column({ type: 'uuid' })
  subjectId: string;

  @Column({ type: 'jsonb', default: () => "'{}'::jsonb" })
  changes: AuditChanges;

  @Column({ type: 'text', nullable: true })
  requestId: string | null;

  @Column({ type: 'text', nullable: true })
  address: string | null;
}
