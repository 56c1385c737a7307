import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DecidedBy } from '../consent/decision.js';
import type { PhoneNumber } from '../values/phone-number.js';
import type { RecordId } from '../values/record-id.js';
import type { UserId } from '../values/user-id.js';

/** Where a contact first came from. */
export type ContactSource = 'api' | 'import' | 'inbound' | 'campaign' | 'send';

/** A person an account writes to, identified by phone number or, if they hide it, by the network's user id. */
@Entity('contacts')
export class Contact {
  @PrimaryColumn({ type: 'uuid' })
  accountId: RecordId;

  @PrimaryColumn({ type: 'uuid' })
  id: RecordId;

  @Column({ type: 'text', nullable: true })
  phoneNumber: PhoneNumber | null;

  /** The network's business-scoped user id. */
  @Column({ type: 'text', nullable: true })
  userId: UserId | null;

  @Column({ type: 'text', nullable: true })
  username: string | null;

  /** The number by which the network knows the contact, if it differs from ours. */
  @Column({ type: 'text', nullable: true })
  waId: PhoneNumber | null;

  /** The contact this one was merged into. A merged contact is deleted for good; its number and user id lead there. */
  @Column({ type: 'uuid', nullable: true })
  mergedInto: RecordId | null;

  /** Since when the person of `mergedInto` no longer has this number and user id; null: they have them. */
  @Column({ type: 'timestamptz', nullable: true })
  movedAt: Date | null;

  /** Whether another contact is found by this number; a sweep merges this one into it. */
  @Column({ type: 'boolean', default: () => 'false' })
  isDuplicate: boolean;

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

  /** The latest numbers, user ids and email addresses that the contact no longer has; a trigger writes them. */
  @Column({ type: 'text', array: true, default: () => "'{}'::text[]" })
  formerIdentities: string[];

  /** Whether the contact may get marketing messages. Only the consent ledger writes it. */
  @Column({ type: 'boolean', default: () => 'true' })
  optedIn: boolean;

  /** When the decision behind `optedIn` was last made; null if never. */
  @Column({ type: 'timestamptz', nullable: true })
  consentAt: Date | null;

  /** Who made that decision; null if nobody has. */
  @Column({ type: 'text', nullable: true })
  consentBy: DecidedBy | null;

  @Column({ type: 'text' })
  source: ContactSource;

  /** Deleted contacts keep their history and are restored under the same id. */
  @Column({ type: 'timestamptz', nullable: true })
  deletedAt: Date | null;

  /** When the personal data here was removed; from then on the contact's data in other tables is hidden. */
  @Column({ type: 'timestamptz', nullable: true })
  erasedAt: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt: Date;
}
