import { setTimeout as sleep } from 'node:timers/promises';
import { Campaign } from '../campaigns/campaign.entity.js';
import { type CampaignCounts, countCampaign } from '../campaigns/campaign-counts.queries.js';
import { campaignNotFound } from '../campaigns/campaigns.errors.js';
import type { Database } from '../database/unit-of-work.js';

/** Counters change several times a second. Watching reads the tables, so it uses up no API requests. */
const POLL_EVERY_MS = 250;

/** A campaign's progress. */
export interface CampaignState
  extends CampaignCounts,
    Pick<
      Campaign,
      'name' | 'status' | 'paused' | 'failureReason' | 'totalContacts' | 'waitingReason' | 'waitingUntil'
    > {}

/** @throws DomainError `not_found` */
export async function readCampaign(accountId: string, campaignId: string, db: Database): Promise<CampaignState> {
  // Read the counts second, so that they are never behind the status.
  const campaign = await db.manager.findOneBy(Campaign, { accountId, id: campaignId });
  if (campaign === null) throw campaignNotFound(campaignId);
  return { ...campaign, ...(await countCampaign(accountId, campaignId, db)) };
}

/** The source, display and end of a {@link watchCampaign}. */
export interface CampaignWatch {
  read(): Promise<CampaignState>;
  /** @param final whether this is the last update */
  draw(state: CampaignState, final: boolean): void;
  isOver(state: CampaignState): boolean;
  /** Ends the watch early, after one last read. */
  readonly signal: AbortSignal;
}

/** Reads and draws a campaign until it is over. Returns the last state drawn. */
export async function watchCampaign({ read, draw, isOver, signal }: CampaignWatch): Promise<CampaignState> {
  for (;;) {
    const state = await read();
    const final = isOver(state) || signal.aborted;
    draw(state, final);
    if (final) return state;
    await sleep(POLL_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
