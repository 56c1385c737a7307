import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import { DomainError } from '../../errors/domain-error.js';

/** Why a campaign cannot go on until somebody acts; the message says what is wrong and what to do. */
export class CampaignStop extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'CampaignStop';
  }
}

export const accountGone = (accountId: string): CampaignStop =>
  new CampaignStop(`account ${accountId} does not exist any more. Its campaigns cannot be sent`);

export const accountSuspended = (): CampaignStop =>
  new CampaignStop('the account is suspended. Have it activated, then resume the campaign');

export const phoneGone = (phoneId: string): CampaignStop =>
  new CampaignStop(
    `business phone ${phoneId} is gone or belongs to another account. Add it to this account again and resume the ` +
      'campaign, or create a campaign that sends from another phone',
  );

export const phoneRestricted = ({ phone }: Pick<BusinessPhone, 'phone'>, restriction: string): CampaignStop =>
  new CampaignStop(
    `the network keeps the business of phone ${phone} from sending: ${restriction}. Resume the campaign once that is lifted`,
  );

/** @param reference finds the cause in the log */
export const unforeseenFailure = (seconds: number, reference: string): string =>
  `every attempt to send has failed for ${seconds} seconds because of a fault in the service, not in the campaign. ` +
  `Give its operator the reference ${reference}, which finds the cause in the log, and resume the campaign once it is mended`;

/** What to do about a refusal, by what it concerns: `content` are the values that fill the template in. */
export const ADVICE = {
  token: 'Resume the campaign once that is done',
  phone: 'Resume the campaign once the phone can send again',
  template: 'Resume the campaign once the template can be sent, or create one with another template',
  credits: 'Add credits to the wallet, then resume the campaign',
  content: 'The template has changed since the campaign was created: create a campaign with the values it needs now',
} as const;

/**
 * Does `work`; a refusal of its own stops the campaign.
 *
 * @throws CampaignStop in place of any DomainError
 */
export async function stopsWith<T>(advice: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof DomainError ? new CampaignStop(`${error.message}. ${advice}`, { cause: error }) : error;
  }
}
