import { badRequest, type DomainError, notFound } from '../errors/domain-error.js';
import type { Campaign, CampaignStatus } from './campaign.entity.js';

export const campaignNotFound = (campaignId: string): DomainError => notFound(`campaign ${campaignId} not found`);

export const cannotSend = (status: CampaignStatus): DomainError =>
  badRequest(
    status === 'scheduled'
      ? 'the campaign is scheduled and will be sent automatically at its scheduled time'
      : `only a draft campaign can be sent (this one is ${status})`,
  );

type State = Pick<Campaign, 'status' | 'paused'>;

const stateOf = ({ status, paused }: State): string => (paused ? 'paused' : status);

export const cannotCancel = (campaign: State): DomainError =>
  badRequest(`only a draft, scheduled or running campaign can be cancelled (this one is ${stateOf(campaign)})`);

export const cannotPause = (campaign: State): DomainError =>
  badRequest(`only a running campaign can be paused (this one is ${stateOf(campaign)})`);

export const cannotResume = (campaign: State): DomainError =>
  badRequest(`only a paused or failed campaign can be resumed (this one is ${stateOf(campaign)})`);

export const cannotRetry = (campaign: State): DomainError =>
  badRequest(
    `failed recipients can be retried once the campaign is completed or failed (this one is ${stateOf(campaign)})`,
  );

export const codesAreGone = (): DomainError =>
  badRequest(
    'the campaign has no failed recipients that can be retried: one-time codes are deleted when they have been sent or ' +
      'have failed. Create a campaign with new codes',
  );

export const nothingToRetry = (): DomainError =>
  badRequest('the campaign has no failed recipients that can be retried');
