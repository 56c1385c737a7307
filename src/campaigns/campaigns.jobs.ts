import { jobKind } from '../manifest/job-kind.js';

/** Hands a running campaign to a worker's send pumps. */
export const CAMPAIGN_DISPATCH = jobKind<{ account_id: string; campaign_id: string }>(
  'campaign.dispatch.v1',
  'campaigns',
);
