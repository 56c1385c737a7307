import { ApiProperty } from '@nestjs/swagger';
import { SuccessResponse } from '../../http/responses.dto.js';
import type { Progress } from '../progress/campaign-progress.queries.js';

/** What the network accepted of a campaign in one interval. */
export class ProgressBucketRecord {
  @ApiProperty({ format: 'date-time', description: 'When the interval begins: a multiple of `bucket_seconds`, in UTC' })
  at: string;

  @ApiProperty({ type: 'integer', description: 'Messages that the network accepted in it', example: 80 })
  accepted: number;
}

/** Response of `GET /api/v1/campaigns/{campaign_id}/progress`. */
export class CampaignProgressResponse extends SuccessResponse {
  @ApiProperty({
    type: 'integer',
    example: 1,
    description: 'How long each interval is: from a second to days, as short as possible for 120 of them',
  })
  bucket_seconds: number;

  @ApiProperty({
    type: [ProgressBucketRecord],
    description: 'Every interval, the earliest first, also those with nothing; empty before the first acceptance',
  })
  buckets: ProgressBucketRecord[];

  static from({ bucketSeconds, buckets }: Progress): CampaignProgressResponse {
    return {
      status: 'success',
      bucket_seconds: bucketSeconds,
      buckets: buckets.map(({ at, accepted }) => ({ at: at.toISOString(), accepted })),
    };
  }
}
