import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CampaignContent } from './authoring/campaign-content.js';
import type { SendWindow } from './dispatch/send-window-rules.js';

export const CAMPAIGN_STATUSES = ['draft', 'scheduled', 'running', 'completed', 'cancelled', 'failed'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** One template to many recipients; its counts are in the counters. */
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

  /** What is the same for every recipient: body_data, header_data, media_url, filename, button_params, location, carousel_data, expiration_time_ms. */
  @Column({ type: 'jsonb', default: () => "'{}'::jsonb" })
  content: CampaignContent;

  @Column({ type: 'text' })
  status: CampaignStatus;

  @Column({ type: 'boolean', default: () => 'false' })
  paused: boolean;

  @Column({ type: 'text', nullable: true })
  failureReason: string | null;

  /** How often it was started: what is learned about one run does not stop the next. */
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

  /** The hours in which it may send; null: any. */
  @Column({ type: 'jsonb', nullable: true })
  sendWindow: SendWindow | null;

  /** Who is unsent by then is cancelled; null: nobody. */
  @Column({ type: 'timestamptz', nullable: true })
  sendBefore: Date | null;

  /** Nobody is claimed before; null: at once. */
  @Column({ type: 'timestamptz', nullable: true })
  opensAt: Date | null;

  /** Nobody is claimed from then on, until a sweep has found out what follows; null: never. */
  @Column({ type: 'timestamptz', nullable: true })
  closesAt: Date | null;

  /** The messaging limit that it was opened under: another one opens it anew. */
  @Column({ type: 'integer', nullable: true })
  knownLimit: number | null;

  /** When the first of those may be sent to who wait for a window or for the messaging limit; null: nobody waits. */
  @Column({ type: 'timestamptz', nullable: true })
  waitingUntil: Date | null;

  /** It pauses itself when more of the last 100 answered recipients failed; null: never. */
  @Column({ type: 'integer', nullable: true })
  maxFailurePercent: number | null;

  /** Messages made earlier do not count toward {@link maxFailurePercent}; null: all count. */
  @Column({ type: 'timestamptz', nullable: true })
  judgedFrom: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  startedAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  completedAt: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
