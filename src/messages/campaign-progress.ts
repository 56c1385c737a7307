import type { Tx } from '../database/unit-of-work.js';
import type { Counts } from './message-status.js';

/** How a campaign's counters move. */
export interface CampaignDelta extends Counts {
  readonly accountId: string;
  readonly campaignId: string;
}

/** A campaign message of which it became known whether the network took it. */
export interface CampaignSettlement {
  readonly accountId: string;
  readonly campaignId: string;
  readonly recipientId: string;
  /** True: it was accepted; false: it was not, as far as is known. */
  readonly accepted: boolean;
}

/** What messages tell campaigns; the campaigns room implements it. */
export abstract class CampaignProgress {
  /**
   * Moves counters and settles credits, in the transaction in which the messages change. Rows are locked in the order
   * campaign, wallet, each by id.
   */
  abstract record(deltas: readonly CampaignDelta[], settlements: readonly CampaignSettlement[], tx: Tx): Promise<void>;
}
