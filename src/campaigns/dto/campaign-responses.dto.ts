import { ApiProperty } from '@nestjs/swagger';
import { SuccessResponse } from '../../http/responses.dto.js';
import type { CampaignRow, CampaignStatus } from '../campaign.queries.js';

const STATUSES: CampaignStatus[] = ['draft', 'scheduled', 'running', 'completed', 'cancelled', 'failed'];

/** Answer of `POST /api/v1/campaigns/{campaign_id}/send` (SPEC §8). */
export class SendCampaignResponse {
  @ApiProperty({ enum: ['accepted'] })
  status: 'accepted';

  @ApiProperty()
  message: string;

  @ApiProperty()
  campaign_id: string;

  @ApiProperty({ description: 'The worker’s task, for tracing' })
  task_id: string;

  @ApiProperty()
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

/** Answer of `GET /api/v1/campaigns/{campaign_id}/stats` (SPEC §9). */
export class CampaignStatsResponse extends SuccessResponse {
  @ApiProperty()
  campaign_id: string;

  @ApiProperty()
  name: string;

  @ApiProperty({ enum: STATUSES })
  campaign_status: CampaignStatus;

  @ApiProperty()
  total_contacts: number;

  @ApiProperty({ description: 'Accepted by the network' })
  sent_count: number;

  @ApiProperty({ description: 'Reached the phone' })
  delivered_count: number;

  @ApiProperty()
  read_count: number;

  @ApiProperty({ description: 'Recipients who tapped a button' })
  clicked_count: number;

  @ApiProperty({ description: 'Failed at any stage' })
  failed_count: number;

  @ApiProperty({ description: 'Recipients who replied' })
  replied_count: number;

  @ApiProperty({ description: '`total_contacts` minus `failed_count`' })
  success_count: number;

  @ApiProperty()
  created_at: string;

  @ApiProperty({ type: String, nullable: true })
  scheduled_at: string | null;

  @ApiProperty({ type: String, nullable: true })
  started_at: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'When the worker finished dispatching' })
  completed_at: string | null;

  static from(row: CampaignRow): CampaignStatsResponse {
    return {
      status: 'success',
      campaign_id: row.id,
      name: row.name,
      campaign_status: row.status,
      total_contacts: row.total_contacts,
      sent_count: row.sent_count,
      delivered_count: row.delivered_count,
      read_count: row.read_count,
      clicked_count: row.clicked_count,
      failed_count: row.failed_count,
      replied_count: row.replied_count,
      success_count: row.total_contacts - row.failed_count,
      created_at: row.created_at.toISOString(),
      scheduled_at: row.scheduled_at?.toISOString() ?? null,
      started_at: row.started_at?.toISOString() ?? null,
      completed_at: row.status === 'completed' ? (row.completed_at?.toISOString() ?? null) : null,
    };
  }
}
