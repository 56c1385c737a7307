import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CampaignContent } from './authoring/campaign-content.js';
import type { SendWindow } from './dispatch/send-window-rules.js';

export const CAMPAIGN_STATUSES = ['draft', 'scheduled', 'running', 'completed', 'cancelled', 'failed'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** One template sent to many recipients. Its counts are kept in the counters. */
@Entity('campaigns')
export class Campaign {
  @PrimaryColumn({ type: 'uuid' })
  accountId: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text', nullable: true })
  description: string | null;

  @Column({ type: 'uuid' })
  templateId: string;

  @Column({ type: 'text' })
  templateName: string;

  @Column({ type: 'uuid' })
  businessPhoneId: string;

  /**
   * Values shared by all recipients: body_data, header_data, media_url, filename, button_params, location,
   * carousel_data, expiration_time_ms.
   */
  @Column({ type: 'jsonb', default: () => "'{}'::jsonb" })
  content: CampaignContent;

  @Column({ type: 'text' })
  status: CampaignStatus;

  @Column({ type: 'boolean', default: () => 'false' })
  paused: boolean;

  @Column({ type: 'text', nullable: true })
  failureReason: string | null;

  /** How often it was started. A failure found during one run must not stop a later one. */
  @Column({ type: 'integer', default: () => '0' })
  runs: number;

  /** Credits per recipient, fixed when the campaign starts. */
  @Column({ type: 'integer', default: () => '0' })
  price: number;

  @Column({ type: 'integer' })
  totalContacts: number;

  @Column({ type: 'timestamptz', nullable: true })
  scheduledAt: Date | null;

  @Column({ type: 'text', nullable: true })
  scheduledTimezone: string | null;

  /** Hours of the day when it may send; null: any time. */
  @Column({ type: 'jsonb', nullable: true })
  sendWindow: SendWindow | null;

  /** Deadline: recipients not sent to by then are cancelled; null: no deadline. */
  @Column({ type: 'timestamptz', nullable: true })
  sendBefore: Date | null;

  /** Recipients are not claimed before this time; null: may be claimed now. */
  @Column({ type: 'timestamptz', nullable: true })
  opensAt: Date | null;

  /** From this time on, nothing is claimed until a sweep has planned the next opening; null: never closes. */
  @Column({ type: 'timestamptz', nullable: true })
  closesAt: Date | null;

  /** The messaging limit its opening was planned under. When the limit changes, the opening is planned again. */
  @Column({ type: 'integer', nullable: true })
  knownLimit: number | null;

  /** When the next recipient waiting for a window or the messaging limit may be sent to; null: none waits. */
  @Column({ type: 'timestamptz', nullable: true })
  waitingUntil: Date | null;

  /** It pauses itself when more than this percentage of the last 100 answered recipients failed; null: never. */
  @Column({ type: 'integer', nullable: true })
  maxFailurePercent: number | null;

  /** Messages created before this time do not count toward {@link maxFailurePercent}; null: all count. */
  @Column({ type: 'timestamptz', nullable: true })
  judgedFrom: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  startedAt: Date | null;

  /** When it was completed, cancelled or failed; null until then. */
  @Column({ type: 'timestamptz', nullable: true })
  completedAt: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
