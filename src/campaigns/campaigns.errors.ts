import { badRequest, type DomainError, notFound } from '../errors/domain-error.js';
import type { CampaignStatus } from './campaign.entity.js';

export const campaignNotFound = (campaignId: string): DomainError => notFound(`campaign ${campaignId} not found`);

export const cannotSend = (status: CampaignStatus): DomainError =>
  badRequest(
    status === 'scheduled'
      ? 'the campaign is scheduled: it sends itself at its time'
      : `only a draft campaign can be sent (this one is ${status})`,
  );
