import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PersonalValues } from './campaign.js';

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

  /** Not used any more; processes of earlier versions write it while an upgrade is under way. */
  @Column({ type: 'timestamptz', nullable: true })
  firstAttemptAt: Date | null;

  /** Values for this recipient only; null: none. */
  @Column({ type: 'jsonb', nullable: true })
  personal: PersonalValues | null;

  /** Its own one-time code, encrypted; null: none, or the recipient is settled. */
  @Column({ type: 'text', nullable: true })
  code: string | null;

  /** While pending: not claimed before this time; null: may be claimed now. */
  @Column({ type: 'timestamptz', nullable: true })
  dueAt: Date | null;

  /** While pending: whether {@link dueAt} is not the time of a retry, but of a window, the limit or a restriction. */
  @Column({ type: 'boolean', default: () => 'false' })
  held: boolean;

  /** Its latest message; a retry reuses it as long as it was provably not sent. */
  @Column({ type: 'uuid', nullable: true })
  messageId: string | null;

  /** Whether its reserved credit was refunded. Refunds flip this flag first, so that a credit moves only once. */
  @Column({ type: 'boolean', default: () => 'false' })
  creditReturned: boolean;

  /** While pending: whether it already counts toward the messaging limit. */
  @Column({ type: 'boolean', default: () => 'false' })
  admitted: boolean;

  /** Whether it was retried after the network's limit of marketing messages, which is done once. */
  @Column({ type: 'boolean', default: () => 'false' })
  capRetried: boolean;

  @Column({ type: 'boolean', default: () => 'false' })
  clicked: boolean;

  @Column({ type: 'boolean', default: () => 'false' })
  replied: boolean;

  /** When it first replied; null: it has not, or did before this was noted. */
  @Column({ type: 'timestamptz', nullable: true })
  repliedAt: Date | null;
}
