import type { DispatchPlan } from './dispatch-plan.js';

/** What a process knows of a campaign that it is sending. */
export interface CampaignTurn {
  readonly accountId: string;
  readonly campaignId: string;
  plan: DispatchPlan;
  /** When the plan was made, by `performance.now()`. */
  plannedAt: number;
  /** Recipients before this position are in hand or done with, as far as this process knows. */
  fromPosition: number;
  /** Groups whose outcomes are not stored yet. */
  groups: number;
  /** Nothing more of it is to be claimed here. */
  isOver: boolean;
  /** It was completed here: there is no need to look again. */
  isCompleted: boolean;
}

export const newTurn = (plan: DispatchPlan): CampaignTurn => ({
  accountId: plan.phone.accountId,
  campaignId: plan.campaign.id,
  plan,
  plannedAt: performance.now(),
  fromPosition: 0,
  groups: 0,
  isOver: false,
  isCompleted: false,
});
