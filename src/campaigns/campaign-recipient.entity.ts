import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PersonalValues } from './authoring/campaign-content.js';

/** A contact that a campaign is for. */
@Entity('campaign_recipients')
export class CampaignRecipient {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  campaignId: string;

  @PrimaryColumn({ type: 'uuid' })
  contactId: string;

  /** The order in which recipients are sent to, from 0. */
  @Column({ type: 'integer' })
  position: number;

  /** Pending: provably unsent; claimed: handed to a worker, the message row tells the rest; cancelled: never to be sent to. */
  @Column({ type: 'text', default: () => "'pending'::text" })
  state: 'pending' | 'claimed' | 'cancelled';

  @Column({ type: 'integer', default: () => '0' })
  attempts: number;

  @Column({ type: 'timestamptz', nullable: true })
  firstAttemptAt: Date | null;

  /** What is filled in for this recipient alone; null: nothing. */
  @Column({ type: 'jsonb', nullable: true })
  personal: PersonalValues | null;

  /** When a recipient that was provably not sent to is tried again; null: at once. */
  @Column({ type: 'timestamptz', nullable: true })
  dueAt: Date | null;

  /** The latest message made for it; kept while it is provably unsent. */
  @Column({ type: 'uuid', nullable: true })
  messageId: string | null;

  /** Whether the credit reserved for it was given back; the update that changes this decides that the credit moves once. */
  @Column({ type: 'boolean', default: () => 'false' })
  creditReturned: boolean;

  /** While pending: whether it counts toward the messaging limit as if it had been sent to. */
  @Column({ type: 'boolean', default: () => 'false' })
  admitted: boolean;

  @Column({ type: 'boolean', default: () => 'false' })
  clicked: boolean;

  @Column({ type: 'boolean', default: () => 'false' })
  replied: boolean;
}
