import { now } from '../../values/clock.js';
import type { CampaignStatus, WaitingReason } from '../campaign.entity.js';
import { waitingFor } from '../campaign-wait.js';
import type { CampaignPace } from './campaign-pace.queries.js';
import type { LiveCampaignRow } from './live-campaigns.queries.js';

/** What a stream tells of a campaign: the fields of its record that change while it is watched, as the record has them. */
export interface LiveCampaign {
  readonly campaign_id: string;
  readonly name: string;
  readonly campaign_status: CampaignStatus;
  readonly paused: boolean;
  readonly failure_reason: string | null;
  readonly total_contacts: number;
  readonly sent_count: number;
  readonly delivered_count: number;
  readonly read_count: number;
  readonly clicked_count: number;
  readonly failed_count: number;
  readonly replied_count: number;
  readonly held_count: number;
  readonly success_count: number;
  readonly scheduled_at: string | null;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly waiting_reason: WaitingReason | null;
  readonly waiting_until: string | null;
  readonly rate_per_second: number | null;
  readonly seconds_left: number | null;
}

export function liveCampaign(row: LiveCampaignRow, { ratePerSecond, secondsLeft }: CampaignPace): LiveCampaign {
  const { until, reason } = waitingFor(row, now());
  return {
    campaign_id: row.id,
    name: row.name,
    campaign_status: row.status,
    paused: row.paused,
    failure_reason: row.failureReason,
    total_contacts: row.totalContacts,
    sent_count: row.sent,
    delivered_count: row.delivered,
    read_count: row.read,
    clicked_count: row.clicked,
    failed_count: row.failed,
    replied_count: row.replied,
    // A process of an earlier release does not count what it stores as held.
    held_count: Math.max(0, row.held),
    success_count: row.totalContacts - row.failed,
    scheduled_at: row.scheduledAt?.toISOString() ?? null,
    started_at: row.startedAt?.toISOString() ?? null,
    completed_at: row.status === 'completed' ? (row.completedAt?.toISOString() ?? null) : null,
    waiting_reason: reason,
    waiting_until: until?.toISOString() ?? null,
    rate_per_second: ratePerSecond,
    seconds_left: secondsLeft,
  };
}
