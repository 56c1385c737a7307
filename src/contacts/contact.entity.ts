import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PhoneNumber } from '../values/phone-number.js';
import type { RecordId } from '../values/record-id.js';
import type { UserId } from '../values/user-id.js';

/** Where a contact first came from. */
export type ContactSource = 'api' | 'import' | 'inbound' | 'campaign' | 'send';

/** A person that an account writes to, known by a number or, where that is hidden, by the network's id alone. */
@Entity('contacts')
export class Contact {
  @PrimaryColumn({ type: 'uuid' })
  accountId: RecordId;

  @PrimaryColumn({ type: 'uuid' })
  id: RecordId;

  @Column({ type: 'text', nullable: true })
  phoneNumber: PhoneNumber | null;

  /** The network's business-scoped id of the person. */
  @Column({ type: 'text', nullable: true })
  userId: UserId | null;

  @Column({ type: 'text', nullable: true })
  username: string | null;

  /** The number the network knows the contact by, where it differs from ours. */
  @Column({ type: 'text', nullable: true })
  waId: PhoneNumber | null;

  /** The contact that turned out to be the same person: this one is deleted for good, and has neither number nor user id. */
  @Column({ type: 'uuid', nullable: true })
  mergedInto: RecordId | null;

  @Column({ type: 'text' })
  firstName: string;

  @Column({ type: 'text', nullable: true })
  lastName: string | null;

  @Column({ type: 'text', nullable: true })
  email: string | null;

  @Column({ type: 'text', nullable: true })
  company: string | null;

  @Column({ type: 'text', array: true, default: () => "'{}'::text[]" })
  tags: string[];

  @Column({ type: 'boolean', default: () => 'true' })
  optedIn: boolean;

  /** When `optedIn` was last decided, by the contact or the account; null: never. */
  @Column({ type: 'timestamptz', nullable: true })
  consentAt: Date | null;

  @Column({ type: 'text' })
  source: ContactSource;

  /** Deleted contacts keep their history, and come back under their id. */
  @Column({ type: 'timestamptz', nullable: true })
  deletedAt: Date | null;

  /** Since when nothing here tells of the person, and nothing that the contact has elsewhere is shown. */
  @Column({ type: 'timestamptz', nullable: true })
  erasedAt: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt: Date;
}
