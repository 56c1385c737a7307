import { setTimeout as sleep } from 'node:timers/promises';
import { Campaign } from '../campaigns/campaign.entity.js';
import { type CampaignCounts, countCampaign } from '../campaigns/campaign.queries.js';
import { campaignNotFound } from '../campaigns/campaigns.errors.js';
import type { Tx } from '../database/unit-of-work.js';

/** Counters move with every group of messages, several times a second; watching reads the tables and spends no requests. */
const LOOK_EVERY_MS = 250;

/** How far a campaign has come. */
export interface CampaignState
  extends CampaignCounts,
    Pick<Campaign, 'name' | 'status' | 'paused' | 'failureReason' | 'totalContacts'> {}

/** @throws DomainError `not_found` */
export async function readCampaign(accountId: string, campaignId: string, tx: Tx): Promise<CampaignState> {
  // The counts second: they are never behind the status.
  const campaign = await tx.manager.findOneBy(Campaign, { accountId, id: campaignId });
  if (campaign === null) throw campaignNotFound(campaignId);
  return { ...campaign, ...(await countCampaign(accountId, campaignId, tx)) };
}

/** What {@link watchCampaign} looks at, and when it ends. */
export interface CampaignWatch {
  read(): Promise<CampaignState>;
  /** @param final whether nothing follows */
  draw(state: CampaignState, final: boolean): void;
  isOver(state: CampaignState): boolean;
  /** Ends the watch early, after one last look. */
  readonly signal: AbortSignal;
}

/** Reads and draws a campaign until it is over; returns what was drawn last. */
export async function watchCampaign({ read, draw, isOver, signal }: CampaignWatch): Promise<CampaignState> {
  for (;;) {
    const state = await read();
    const final = isOver(state) || signal.aborted;
    draw(state, final);
    if (final) return state;
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
