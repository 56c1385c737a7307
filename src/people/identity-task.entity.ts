import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordId } from '../values/record-id.js';

/** What is left to do about a contact that turned out to be somebody whom the account knows already. */
@Entity('identity_tasks')
export class IdentityTask {
  @PrimaryColumn({ type: 'uuid' })
  accountId: RecordId;

  @PrimaryColumn({ type: 'uuid' })
  contactId: RecordId;

  /**
   * `duplicate`: merge it; `spelling`: learn the number in `wa_id`; `history`: move messages after a merge; `stragglers`:
   * move what was still being stored during the merge.
   */
  @PrimaryColumn({ type: 'text' })
  kind: 'duplicate' | 'spelling' | 'history' | 'stragglers';

  /** Messages with lower ids are still to be moved; null: all. */
  @Column({ type: 'uuid', nullable: true })
  below: RecordId | null;

  @Column({ type: 'integer', default: () => '0' })
  retries: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  dueAt: Date;
}
