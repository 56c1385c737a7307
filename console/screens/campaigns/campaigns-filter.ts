import type { CampaignRecord } from '../../../clients/typescript/src/generated/schema.js';

type CampaignStatus = CampaignRecord['campaign_status'];

/** Which campaigns are listed. */
export interface CampaignsFilter {
  /** Null for any. */
  readonly status: CampaignStatus | null;
  readonly search: string | null;
  /** From 1. */
  readonly page: number;
}

/** The statuses in the order of their tabs. */
export const STATUSES: readonly CampaignStatus[] = [
  'running',
  'scheduled',
  'draft',
  'completed',
  'failed',
  'cancelled',
];

/** Characters of a search that the API takes. */
export const MAX_SEARCH = 256;
/** Digits of a page’s number; more pages than that has nobody. */
const PAGE = /^[1-9]\d{0,5}$/;

/** The filter of an address; what it has besides means nothing. */
export function filterOf(query: URLSearchParams): CampaignsFilter {
  const [status, page] = [query.get('status'), query.get('page') ?? ''];
  return {
    status: STATUSES.find((one) => one === status) ?? null,
    search: query.get('search')?.trim().slice(0, MAX_SEARCH) || null,
    page: PAGE.test(page) ? Number(page) : 1,
  };
}

/** What to change in an address for another filter; from its first page on. */
export const changesFor = ({ status, search }: Partial<CampaignsFilter>): Record<string, string | null> => ({
  ...(status !== undefined && { status }),
  ...(search !== undefined && { search }),
  page: null,
});
