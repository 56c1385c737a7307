import type { Tx } from '../../database/unit-of-work.js';

/** A campaign message whose acceptance by the network has just been established or revised. */
export interface CreditSettlement {
  readonly accountId: string;
  readonly campaignId: string;
  readonly contactId: string;
  readonly messageId: string;
  /** False: not accepted, as far as we know. */
  readonly accepted: boolean;
}

/** Keeps the credits of campaigns in step with their messages; the campaigns module implements it. */
export abstract class CampaignCredits {
  /**
   * Refunds and charges credits in the transaction that changes the messages. The caller has locked the messages;
   * recipients are locked here, in id order.
   */
  abstract settle(settlements: readonly CreditSettlement[], tx: Tx): Promise<void>;
}
