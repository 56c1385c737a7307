import type {
  CampaignProgressResponse,
  PacedCampaignRecord,
  RecipientListResponse,
} from '../../../clients/typescript/src/generated/schema.js';

export type Campaign = PacedCampaignRecord;
export type Progress = Pick<CampaignProgressResponse, 'bucket_seconds' | 'buckets'>;

/** A page of people, with the filter that it was read for. */
export interface PeoplePage extends Pick<RecipientListResponse, 'recipients' | 'total' | 'counts'> {
  readonly key: string;
}

/** The status as people see it: a paused campaign is still a running one. */
export const statusOf = ({
  campaign_status,
  paused,
}: Pick<Campaign, 'campaign_status' | 'paused'>): Campaign['campaign_status'] | 'paused' =>
  campaign_status === 'running' && paused ? 'paused' : campaign_status;
