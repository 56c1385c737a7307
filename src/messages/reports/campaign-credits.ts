import type { Tx } from '../../database/unit-of-work.js';

/** A campaign message of which it became known whether the network took it. */
export interface CreditSettlement {
  readonly accountId: string;
  readonly campaignId: string;
  readonly contactId: string;
  readonly messageId: string;
  /** True: it was accepted; false: it was not, as far as is known. */
  readonly accepted: boolean;
}

/** Keeps the credits of campaigns in step with their messages; the campaigns room implements it. */
export abstract class CampaignCredits {
  /**
   * Gives credits back and charges them again, in the transaction in which the messages change. The messages are locked by
   * the caller; recipients are locked here, in the order of their ids.
   */
  abstract settle(settlements: readonly CreditSettlement[], tx: Tx): Promise<void>;
}
