import type { Campaign, WaitingReason } from './campaign.entity.js';

/** What a campaign waits for. */
export interface CampaignWait {
  /** Null: nothing. */
  readonly reason: WaitingReason | null;
  /** Until when; null: nobody can say. */
  readonly until: Date | null;
}

const NO_WAIT: CampaignWait = { reason: null, until: null };

/** What a campaign waits for at a time. Paused, it waits for its resume only, and what was stored about a time is over then. */
export function waitingFor(
  {
    status,
    paused,
    waitingReason: reason,
    waitingUntil: until,
  }: Readonly<Pick<Campaign, 'status' | 'paused' | 'waitingReason' | 'waitingUntil'>>,
  at: Date,
): CampaignWait {
  if (status !== 'running' || paused || (until !== null && until <= at)) return NO_WAIT;
  return { reason, until };
}
