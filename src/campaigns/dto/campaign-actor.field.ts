import { ApiProperty } from '@nestjs/swagger';
import { CAMPAIGN_ORIGINS, type CampaignOrigin } from '../campaign.entity.js';

/** Who created, started or paused a campaign. */
export class CampaignActorField {
  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Null when its scheduled time had come' })
  user_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  name: string | null;

  @ApiProperty({
    enum: CAMPAIGN_ORIGINS,
    description: '`api`: with an API key; `manual`: by a person; `schedule`: its scheduled time had come',
  })
  source: CampaignOrigin;

  /** Null when it has not happened, or is not known. */
  static from(userId: string | null, name: string | null, source: CampaignOrigin | null): CampaignActorField | null {
    return source === null ? null : { user_id: userId, name, source };
  }
}
