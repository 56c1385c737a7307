import type { Tx } from '../database/unit-of-work.js';

/** A campaign that starts to send, for the first time or again. */
export interface StartedFacts {
  readonly campaignId: string;
}

/** A campaign that stops sending. A failed or completed one may start again. */
export interface EndedFacts extends StartedFacts {
  readonly status: 'completed' | 'failed' | 'cancelled';
}

/** Hears of campaigns that start and end. A campaign that is cancelled before it started only ends. */
export abstract class CampaignListener {
  onStarted?(accountId: string, campaign: StartedFacts, tx: Tx): Promise<void>;
  onEnded?(accountId: string, campaign: EndedFacts, tx: Tx): Promise<void>;
}
