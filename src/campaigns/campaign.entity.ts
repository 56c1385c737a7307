import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoredRestrictions } from '../accounts/restrictions.js';
import type { CampaignContent, SendWindow, SentTemplate } from './campaign.js';

export const CAMPAIGN_STATUSES = ['draft', 'scheduled', 'running', 'completed', 'cancelled', 'failed'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** What a running campaign, or some of its recipients, may wait for. */
export const WAITING_REASONS = ['phone', 'network', 'restriction', 'send_window', 'messaging_limit'] as const;
export type WaitingReason = (typeof WAITING_REASONS)[number];

/** How a campaign was created or started: with the API, by a person, or because its time had come. */
export const CAMPAIGN_ORIGINS = ['api', 'manual', 'schedule'] as const;
export type CampaignOrigin = (typeof CAMPAIGN_ORIGINS)[number];

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

  /** The one-time code of all recipients without one of their own, encrypted; null: none, or nobody is left to send it to. */
  @Column({ type: 'text', nullable: true })
  code: string | null;

  /** How its template looked in each run, the earliest first; null until it starts, and for campaigns of earlier releases. */
  @Column({ type: 'jsonb', nullable: true })
  sentTemplates: readonly SentTemplate[] | null;

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

  /** Deadline, like {@link sendBefore}: shortly before the limited-time offer of its template expires; null: no offer. */
  @Column({ type: 'timestamptz', nullable: true })
  offerEndsAt: Date | null;

  /** Recipients are not claimed before this time; null: may be claimed now. */
  @Column({ type: 'timestamptz', nullable: true })
  opensAt: Date | null;

  /** From this time on, nothing is claimed until a sweep has planned the next opening; null: never closes. */
  @Column({ type: 'timestamptz', nullable: true })
  closesAt: Date | null;

  /** The messaging limit its opening was planned under. When the limit changes, the opening is planned again. */
  @Column({ type: 'integer', nullable: true })
  knownLimit: number | null;

  /** The restrictions its opening was planned under. When they change, the opening is planned again. */
  @Column({ type: 'jsonb', nullable: true })
  knownRestrictions: StoredRestrictions | null;

  /** When the next recipient that waits may be sent to; null: none waits, or nobody can say. */
  @Column({ type: 'timestamptz', nullable: true })
  waitingUntil: Date | null;

  /** What that recipient waits for; null: none waits. */
  @Column({ type: 'text', nullable: true })
  waitingReason: WaitingReason | null;

  /** It pauses itself when more than this percentage of the last 100 answered recipients failed; null or 0: never. */
  @Column({ type: 'integer', nullable: true })
  maxFailurePercent: number | null;

  /** Messages created before this time do not count toward {@link maxFailurePercent}; null: all count. */
  @Column({ type: 'timestamptz', nullable: true })
  judgedFrom: Date | null;

  /** Codes that stopped it because they repeated: those who failed with them may be sent to again. */
  @Column({ type: 'integer', array: true, default: () => "'{}'::integer[]" })
  repeatedCodes: number[];

  @Column({ type: 'timestamptz', nullable: true })
  startedAt: Date | null;

  /** On whose behalf it was first started; null until then, and at its scheduled time. */
  @Column({ type: 'uuid', nullable: true })
  startedBy: string | null;

  /** Null until it is started, and for campaigns of earlier releases. */
  @Column({ type: 'text', nullable: true })
  startedSource: CampaignOrigin | null;

  /** When it was last paused, also if it was resumed since. */
  @Column({ type: 'timestamptz', nullable: true })
  pausedAt: Date | null;

  /** On whose behalf it was last paused; null when it paused itself. */
  @Column({ type: 'uuid', nullable: true })
  pausedBy: string | null;

  /** Null when it paused itself, and for campaigns that earlier releases paused. */
  @Column({ type: 'text', nullable: true })
  pausedSource: CampaignOrigin | null;

  /** When it was completed, cancelled or failed; null until then. */
  @Column({ type: 'timestamptz', nullable: true })
  completedAt: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  /** On whose behalf it was created; null for campaigns of earlier releases. */
  @Column({ type: 'uuid', nullable: true })
  createdBy: string | null;

  /** Null for campaigns of earlier releases. */
  @Column({ type: 'text', nullable: true })
  createdSource: CampaignOrigin | null;

  /** The names of its groups as it was created; empty for campaigns of earlier releases. */
  @Column({ type: 'text', array: true, default: () => "'{}'::text[]" })
  groupNames: string[];

  /** Listed numbers that nobody can have; null for campaigns of earlier releases. */
  @Column({ type: 'integer', nullable: true })
  invalidPhones: number | null;

  /** People who were listed again, in the list or in a group; null for campaigns of earlier releases. */
  @Column({ type: 'integer', nullable: true })
  duplicates: number | null;
}
