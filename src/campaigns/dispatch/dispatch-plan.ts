import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import type { Campaign } from '../campaign.entity.js';
import type { PersonalPlan } from './personal-body.js';

/** Everything that the messages of one campaign have in common, worked out once per job. */
export interface DispatchPlan {
  readonly campaign: Campaign;
  readonly phone: BusinessPhone;
  readonly token: string;
  readonly templateId: string;
  /** Whether opted-out contacts are left out. */
  readonly marketing: boolean;
  /** What a person would read, where it is the same for all. */
  readonly content: string;
  /** What the messages of recipients are made from where they differ. */
  readonly personal: PersonalPlan;
  /** How long looking at recipients' own media may take before a group is sent, milliseconds. */
  readonly probeMs: number;
  /** The message as the network takes it, without recipient and our id. */
  readonly body: Readonly<Record<string, unknown>>;
}
