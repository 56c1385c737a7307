import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PersonalValues } from './authoring/campaign-content.js';

/** One contact's place in a campaign. */
@Entity('campaign_recipients')
export class CampaignRecipient {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  campaignId: string;

  @PrimaryColumn({ type: 'uuid' })
  contactId: string;

  /** Sending order, from 0. */
  @Column({ type: 'integer' })
  position: number;

  /**
   * Pending: provably unsent. Claimed: taken by a worker, the message row has the outcome. Cancelled: will never be
   * sent.
   */
  @Column({ type: 'text', default: () => "'pending'::text" })
  state: 'pending' | 'claimed' | 'cancelled';

  @Column({ type: 'integer', default: () => '0' })
  attempts: number;

  @Column({ type: 'timestamptz', nullable: true })
  firstAttemptAt: Date | null;

  /** Values for this recipient only; null: none. */
  @Column({ type: 'jsonb', nullable: true })
  personal: PersonalValues | null;

  /** While pending: not claimed before this time; null: may be claimed now. */
  @Column({ type: 'timestamptz', nullable: true })
  dueAt: Date | null;

  /** Its latest message; a retry reuses it as long as it was provably not sent. */
  @Column({ type: 'uuid', nullable: true })
  messageId: string | null;

  /** Whether its reserved credit was refunded. Refunds flip this flag first, so that a credit moves only once. */
  @Column({ type: 'boolean', default: () => 'false' })
  creditReturned: boolean;

  /** While pending: whether it already counts toward the messaging limit. */
  @Column({ type: 'boolean', default: () => 'false' })
  admitted: boolean;

  @Column({ type: 'boolean', default: () => 'false' })
  clicked: boolean;

  @Column({ type: 'boolean', default: () => 'false' })
  replied: boolean;
}
