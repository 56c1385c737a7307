import { ApiProperty } from '@nestjs/swagger';
import { CAMPAIGN_STATUSES, type CampaignStatus } from '../campaign.entity.js';
import type { CountedCampaign } from '../campaign-list.queries.js';

/** Response of `POST /api/v1/campaigns/{campaign_id}/send`. */
export class SendCampaignResponse {
  @ApiProperty({ enum: ['accepted'] })
  status: 'accepted';

  @ApiProperty()
  message: string;

  @ApiProperty({ format: 'uuid' })
  campaign_id: string;

  @ApiProperty({ description: 'Id of the background task, for tracing' })
  task_id: string;

  @ApiProperty({ format: 'date-time' })
  timestamp: string;

  static from(campaignId: string, taskId: string, at: Date): SendCampaignResponse {
    return {
      status: 'accepted',
      message: 'Campaign queued for sending',
      campaign_id: campaignId,
      task_id: taskId,
      timestamp: at.toISOString(),
    };
  }
}

/** A campaign's progress. */
export class CampaignStats {
  @ApiProperty({ format: 'uuid' })
  campaign_id: string;

  @ApiProperty()
  name: string;

  @ApiProperty({ enum: CAMPAIGN_STATUSES })
  campaign_status: CampaignStatus;

  @ApiProperty({ type: 'integer' })
  total_contacts: number;

  @ApiProperty({ type: 'integer', description: 'Recipients whose latest message the network accepted' })
  sent_count: number;

  @ApiProperty({ type: 'integer', description: 'Recipients to whose device it was delivered' })
  delivered_count: number;

  @ApiProperty({ type: 'integer', description: 'Recipients who read it' })
  read_count: number;

  @ApiProperty({ type: 'integer', description: 'Recipients who tapped a button' })
  clicked_count: number;

  @ApiProperty({ type: 'integer', description: 'Recipients whose latest message failed at any stage' })
  failed_count: number;

  @ApiProperty({ type: 'integer', description: 'Recipients who replied' })
  replied_count: number;

  @ApiProperty({ type: 'integer', description: '`total_contacts` minus `failed_count`' })
  success_count: number;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  scheduled_at: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  started_at: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'When every recipient had been attempted; null unless completed',
  })
  completed_at: string | null;

  static of({ campaign, counts }: CountedCampaign): CampaignStats {
    return {
      campaign_id: campaign.id,
      name: campaign.name,
      campaign_status: campaign.status,
      total_contacts: campaign.totalContacts,
      sent_count: counts.sent,
      delivered_count: counts.delivered,
      read_count: counts.read,
      clicked_count: counts.clicked,
      failed_count: counts.failed,
      replied_count: counts.replied,
      success_count: campaign.totalContacts - counts.failed,
      created_at: campaign.createdAt.toISOString(),
      scheduled_at: campaign.scheduledAt?.toISOString() ?? null,
      started_at: campaign.startedAt?.toISOString() ?? null,
      completed_at: campaign.status === 'completed' ? (campaign.completedAt?.toISOString() ?? null) : null,
    };
  }
}

/** Response of `GET /api/v1/campaigns/{campaign_id}/stats`. */
export class CampaignStatsResponse extends CampaignStats {
  @ApiProperty({ enum: ['success'] })
  status: 'success';

  static from(campaign: CountedCampaign): CampaignStatsResponse {
    return { status: 'success', ...CampaignStats.of(campaign) };
  }
}
