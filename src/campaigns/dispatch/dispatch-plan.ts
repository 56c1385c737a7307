import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import type { Campaign } from '../campaign.entity.js';
import type { PersonalPlan } from './personal-body.js';

/**
 * Everything the messages of one campaign have in common. Rebuilt every few seconds while the campaign is being sent.
 */
export interface DispatchPlan {
  readonly campaign: Campaign;
  readonly phone: BusinessPhone;
  readonly token: string;
  readonly templateId: string;
  /** Whether the template is marketing, so that opted-out contacts are skipped. */
  readonly marketing: boolean;
  /** The text a person would read, when it is the same for all recipients. */
  readonly content: string;
  /** How to make messages that differ per recipient. */
  readonly personal: PersonalPlan;
  /** How long checking recipients' own media may delay a group, milliseconds. */
  readonly probeMs: number;
  /** The request body for the network, without the recipient and our message id. */
  readonly body: Readonly<Record<string, unknown>>;
}
