import type { DispatchPlan } from './dispatch-plan.js';

/** A process's state of a campaign it is sending; pumps give each campaign of a phone its turn. */
export interface ActiveCampaign {
  readonly accountId: string;
  readonly campaignId: string;
  plan: DispatchPlan;
  /** When the plan was made, by `performance.now()`. */
  plannedAt: number;
  /** Recipients before this position need not be looked at: this process has claimed them. */
  fromPosition: number;
  /** Groups whose outcomes are not stored yet. */
  groups: number;
  /** This process claims no more of it. */
  isOver: boolean;
  /** This process has already marked it as completed. */
  isCompleted: boolean;
}

export const activeCampaign = (plan: DispatchPlan): ActiveCampaign => ({
  accountId: plan.phone.accountId,
  campaignId: plan.campaign.id,
  plan,
  plannedAt: performance.now(),
  fromPosition: 0,
  groups: 0,
  isOver: false,
  isCompleted: false,
});
