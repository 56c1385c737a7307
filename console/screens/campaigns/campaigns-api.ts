import type { CampaignListResponse } from '../../../clients/typescript/src/generated/schema.js';
import { parley } from '../../data/api.js';
import type { Campaign } from '../campaign/campaign-api.js';
import type { CampaignsFilter } from './campaigns-filter.js';

export type CampaignCounts = CampaignListResponse['counts'];

/** One page of the list. */
export interface CampaignsPage {
  readonly rows: readonly Campaign[];
  readonly total: number;
  /** Of every status, for the same search. */
  readonly counts: CampaignCounts;
}

/** Rows of a page. */
export const PAGE_SIZE = 25;

export async function readCampaigns(
  { status, search, page }: CampaignsFilter,
  signal: AbortSignal,
): Promise<CampaignsPage> {
  const filter = { ...(status !== null && { status }), ...(search !== null && { search }) };
  const { campaigns, total, counts } = await parley.campaigns.list({ ...filter, page, limit: PAGE_SIZE }, { signal });
  // Only the stream says how fast each of many is.
  return { rows: campaigns.map((one) => ({ ...one, rate_per_second: null, seconds_left: null })), total, counts };
}
