import { now } from '../../values/clock.js';
import { waitingFor } from '../campaign-wait.js';
import type { CampaignPace } from '../progress/campaign-pace.queries.js';
import type { LiveCampaignRow } from '../progress/live-campaigns.queries.js';
import type { PacedCampaignRecord } from './campaign-record.dto.js';

/** What a stream tells of a campaign: the fields of its record that change while it is watched. */
export type LiveCampaign = Pick<
  PacedCampaignRecord,
  | 'campaign_id'
  | 'name'
  | 'campaign_status'
  | 'paused'
  | 'failure_reason'
  | 'total_contacts'
  | 'sent_count'
  | 'delivered_count'
  | 'read_count'
  | 'clicked_count'
  | 'failed_count'
  | 'replied_count'
  | 'held_count'
  | 'success_count'
  | 'scheduled_at'
  | 'started_at'
  | 'completed_at'
  | 'waiting_reason'
  | 'waiting_until'
  | 'rate_per_second'
  | 'seconds_left'
>;

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
